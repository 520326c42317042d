package tracing

import (
	"context"
	"crypto/rand"

	"go.opentelemetry.io/otel/trace"
)

// ids gives the span of a request its own ids and draws the others.
type ids struct{}

// NewIDs implements sdk.IDGenerator, for spans without a parent: requests.
func (ids) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	if r, ok := ctx.Value(rootKey{}).(root); ok {
		return r.trace, r.span
	}
	var id trace.TraceID
	_, _ = rand.Read(id[:]) // it never fails: crypto/rand ends the program instead
	return id, ids{}.NewSpanID(ctx, id)
}

// NewSpanID implements sdk.IDGenerator.
func (ids) NewSpanID(context.Context, trace.TraceID) (id trace.SpanID) {
	_, _ = rand.Read(id[:])
	return id
}
