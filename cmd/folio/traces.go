package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"folio/authority/measure"
	"folio/bus"
	"folio/commands"
	"folio/events"
	"folio/httpapi"
	"folio/tracing"
	"folio/version"
)

// tracingFlags say where traces go.
type tracingFlags struct {
	OTLPEndpoint string `group:"http" name:"otlp-endpoint" help:"OTLP receiver of traces (HTTP), such as http://127.0.0.1:4318; OTEL_EXPORTER_OTLP_ENDPOINT is taken, too. Empty: there are none." placeholder:"URL"`
}

// openTracing opens what traces go through; with none it stays nil and costs nothing.
func (s *service) openTracing(ctx context.Context) (err error) {
	address := cmp.Or(s.flags.OTLPEndpoint, os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"),
		os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"))
	s.traces, err = tracing.Open(ctx, address, version.Number())
	return err
}

// closeTracing exports what is left.
func (s *service) closeTracing(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	return s.traces.Close(ctx)
}

// answered counts a request and traces it.
func (s *service) answered(a httpapi.Answered) {
	s.metrics.requests.Answered(a)
	if s.traces == nil {
		return
	}
	fault := ""
	if a.Status >= 500 {
		fault = a.Fault
	}
	s.traces.Record(tracing.Span{Of: a.RequestID, Root: true, Name: a.Method + " " + a.Route, Began: a.Began,
		Ended: a.Began.Add(a.Took), Fault: fault, Attributes: map[string]string{"http.request.method": a.Method,
			"http.route": a.Route, "folio.request_id": a.RequestID, "folio.company": a.Caller.Company,
			"folio.caller": a.Caller.Actor(), "folio.error": a.Fault}})
}

// recorded counts facts and traces them, and remembers which request led to an invoice, and an invoice to its
// submission.
func (s *service) recorded(t commands.Told) {
	s.metrics.facts.Recorded(t)
	if s.traces == nil {
		return
	}
	of, names := t.Request.Correlation, make([]string, len(t.Facts))
	for i, f := range t.Facts {
		names[i] = strings.TrimPrefix(fmt.Sprintf("%T", f), "events.")
		switch e := f.(type) {
		case events.InvoiceCreated:
			s.traces.Led(of, e.Invoice)
		case events.SubmissionOpened:
			if len(e.Invoices) > 0 {
				s.traces.Led(e.Invoices[0], e.Submission)
				of = e.Submission
			}
		}
	}
	now := time.Now()
	s.traces.Record(tracing.Span{Of: of, Name: "record " + strings.Join(names, ", "), Began: now, Ended: now,
		Attributes: map[string]string{"folio.stream": t.Stream, "folio.actor": t.Request.Actor}})
}

// handled traces what a processor heard. In a process that did not take the request this is how it learns what the
// request led to.
func (s *service) handled(h bus.Handled) {
	of, stream := h.Metadata[bus.MetadataCorrelation], h.Metadata[bus.MetadataStream]
	if category, id, _ := strings.Cut(stream, "-"); category == "invoice" &&
		h.Metadata[bus.MetadataType] == events.Name[events.InvoiceCreated]() {
		s.traces.Led(of, id)
	}
	fault := ""
	if h.Err != nil {
		fault = h.Err.Error()
	}
	s.traces.Record(tracing.Span{Of: of, Name: h.Handler + " hears " + h.Metadata[bus.MetadataType], Began: h.Began,
		Ended: h.Began.Add(h.Took), Fault: fault, Attributes: map[string]string{"folio.stream": stream,
			"messaging.message.id": h.Metadata[bus.MetadataPosition]}})
}

// authorityCalled counts a call to an authority and traces it: in the trace of each invoice that it is about, a few of
// them if they are many.
func (s *service) authorityCalled(_ context.Context, c measure.Call) {
	s.metrics.calls.Called(c.Authority, c.Environment, c.Operation, c.Result, c.Took)
	if s.traces == nil {
		return
	}
	const few = 20
	for _, invoice := range c.Invoices[:min(few, len(c.Invoices))] {
		s.traces.Record(tracing.Span{Of: invoice, Name: c.Authority + " " + c.Operation, Began: c.Began,
			Ended: c.Began.Add(c.Took), Fault: c.Fault, Attributes: map[string]string{"folio.invoice": invoice,
				"folio.authority": c.Authority, "folio.environment": string(c.Environment),
				"folio.outcome": string(c.Result)}})
	}
}
