// Package tracing exports OpenTelemetry traces of requests: the request itself, the facts that it recorded, what
// processors made of them, and the calls to the authority.
//
// Nothing is stored for it. The ids of a trace follow from the request_id alone, which every fact carries as its
// correlation, so that spans of several processes join: trace id and root span id are parts of its SHA-256. What a
// processor does about an invoice bears the invoice's id instead, and is led back to the request by what this process
// heard before; after a restart it is a trace of the invoice's own.
package tracing

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Tracer exports spans. A nil one does nothing, at no cost.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	led      *lru.Cache[string, string] // id of an invoice or a submission: the request that led to it
}

// remembered is how many invoices and submissions are led back to their requests.
const remembered = 50_000

// Open exports to an OTLP receiver, such as http://127.0.0.1:4318, with what OTEL_EXPORTER_OTLP_HEADERS and the other
// variables of OpenTelemetry say besides. Without an address the Tracer is nil. A receiver that is away loses spans and
// slows nothing.
func Open(ctx context.Context, address, version string) (*Tracer, error) {
	if address == "" {
		return nil, nil
	}
	at, err := url.Parse(address)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, errors.New("the OTLP address must be like http://127.0.0.1:4318")
	}
	if strings.Trim(at.Path, "/") == "" {
		at.Path = "/v1/traces" // as OTEL_EXPORTER_OTLP_ENDPOINT means it
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(at.String()))
	if err != nil {
		return nil, fmt.Errorf("export traces: %w", err)
	}
	led, err := lru.New[string, string](remembered)
	if err != nil {
		panic(err) // only for a size below 1
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithIDGenerator(ids{}),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "folio"),
			attribute.String("service.version", version))))
	return &Tracer{provider: provider, tracer: provider.Tracer("folio"), led: led}, nil
}

// Close exports what is left, for as long as ctx lets it.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// Span is something that was done.
type Span struct {
	// Of is the request_id that led to it, or the id of an invoice or a submission that Led knows.
	Of           string
	Name         string
	Began, Ended time.Time
	Attributes   map[string]string // without secrets; empty ones are left out
	Fault        string            // "": it went well
	Root         bool              // it is the request itself
}

// Led notes that a request led to an invoice or a submission; of may be such an id itself.
func (t *Tracer) Led(of, id string) {
	if t != nil && of != "" && id != "" && of != id {
		t.led.Add(id, t.origin(of))
	}
}

func (t *Tracer) origin(of string) string {
	if request, known := t.led.Get(of); known {
		return request
	}
	return of
}

// Record exports a span.
func (t *Tracer) Record(s Span) {
	if t == nil || s.Of == "" {
		return
	}
	root := rootOf(t.origin(s.Of))
	ctx := context.WithValue(context.Background(), rootKey{}, root)
	if !s.Root {
		ctx = trace.ContextWithRemoteSpanContext(context.Background(), trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: root.trace, SpanID: root.span, TraceFlags: trace.FlagsSampled, Remote: true}))
	}
	_, span := t.tracer.Start(ctx, s.Name, trace.WithTimestamp(s.Began))
	for name, value := range s.Attributes {
		if value != "" {
			span.SetAttributes(attribute.String(name, value))
		}
	}
	if s.Fault != "" {
		span.SetStatus(codes.Error, s.Fault)
	}
	span.End(trace.WithTimestamp(s.Ended))
}

type rootKey struct{}

// root are the ids of the span of a request.
type root struct {
	trace trace.TraceID
	span  trace.SpanID
}

func rootOf(request string) (r root) {
	sum := sha256.Sum256([]byte(request))
	copy(r.trace[:], sum[:16])
	copy(r.span[:], sum[16:24])
	return r
}
