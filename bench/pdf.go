package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/pdf"
	"folio/projections"
)

const (
	wantedPDF   = 2000 // microseconds of CPU for five items
	wantedPlain = 1.2  // rendering by gofpdf used plainly
	wantedAgain = 1.0  // a PDF again by a GET of the record
	downloads   = 12   // first downloads in a round: each invoice has only one
)

// measurePDFs renders in this process and downloads from the service.
func measurePDFs(ctx context.Context, b *bench) (err error) {
	s, p, err := b.reader(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	contestants := []contestant{{"get", p.charged(fetch(p, s, "", s.five[:1]).run)}}
	for name, ids := range map[string][]string{"5": s.five, "100": s.hundred} {
		n := map[string]int{"5": 5, "100": 100}[name]
		form, err := printed(ctx, n)
		if err != nil {
			return err
		}
		fresh := &once{ids: ids[1:]}
		contestants = append(contestants,
			contestant{"render " + name, renders(func() ([]byte, error) { return pdf.Render(form, nil) })},
			contestant{"first " + name, p.charged(func(ctx context.Context, _ time.Duration) (sample, error) {
				return fresh.run(ctx, p, s)
			})},
			contestant{"again " + name, p.charged(fetch(p, s, "/download-pdf/A4", ids[:1]).run)})
	}
	drawings, err := drawings(ctx)
	if err != nil {
		return err
	}
	got, err := b.race(ctx, append(contestants, drawings...)...)
	if err != nil {
		return err
	}
	b.drawingRows(got)
	b.pdfRows(got)
	return nil
}

// drawn are how many items the documents have that are drawn in this process alone.
var drawn = []int{5, 500}

// drawings render documents, and draw the same pages by gofpdf used plainly.
func drawings(ctx context.Context) (out []contestant, err error) {
	for _, n := range drawn {
		form, err := printed(ctx, n)
		if err != nil {
			return nil, err
		}
		plain, err := pdf.Plain(form)
		if err != nil {
			return nil, err
		}
		out = append(out, contestant{fmt.Sprint("drawn ", n),
			renders(func() ([]byte, error) { return pdf.Render(form, nil) })},
			contestant{fmt.Sprint("plain ", n), renders(plain)})
	}
	return out, nil
}

func (b *bench) drawingRows(got map[string][]sample) {
	for _, n := range drawn {
		ours, plain := got[fmt.Sprint("drawn ", n)], got[fmt.Sprint("plain ", n)]
		share := ratio(ours, plain, sample.cost)
		b.table.add(row{what: fmt.Sprintf("render, %d items, beside gofpdf", n),
			value: micro(over(ours, sample.cost).mid), cpu: micro(over(ours, sample.cost).mid),
			beside: "gofpdf used plainly " + micro(over(plain, sample.cost).mid), ratio: share,
			aim: atMost(share.mid, wantedPlain, "<= 1.20"),
			why: "CPU. The ceiling draws the same pages by a call of the library for each text, line and frame, and is told " +
				"where each goes."})
	}
}

func (b *bench) pdfRows(got map[string][]sample) {
	for _, name := range []string{"5", "100"} {
		drawn, first, again := got["render "+name], got["first "+name], got["again "+name]
		cost := over(drawn, sample.cost).mid
		r := row{what: "render, " + name + " items", value: micro(cost), cpu: micro(cost),
			beside: "download of the same again, in CPU",
			ratio:  ratio(drawn, again, sample.cost), why: "Form and A4 pages in this process, one after the other, without " +
				"a logo; the ceiling only copies the bytes."}
		if name == "5" {
			r.aim = atMost(cost, wantedPDF, "< 2 ms of CPU")
		}
		b.table.add(r)
		b.table.add(row{what: "first download, " + name + " items", value: micro(over(first, sample.latency).mid),
			cpu:    micro(over(first, sample.cost).mid),
			beside: "rendering, in CPU", ratio: ratio(first, drawn, sample.cost),
			why: "From the service, each invoice for the first time: read, drawn and sent."})
		share := ratio(again, got["get"], sample.rate)
		b.table.add(row{what: "repeated download, " + name + " items", value: perSecond(over(again, sample.rate).mid),
			cpu:    micro(over(again, sample.cost).mid),
			beside: "GET of the record " + perSecond(over(got["get"], sample.rate).mid), ratio: share,
			aim: atLeast(share.mid, wantedAgain, ">= 1.00"),
			why: fmt.Sprintf("The same invoice again, 1 client: kept in memory. By CPU it takes %s of a GET.",
				short(ratio(again, got["get"], sample.cost).mid))})
	}
}

// printed is the printed form of an accepted invoice of n items.
func printed(ctx context.Context, n int) (country.Form, error) {
	t, err := newTemplate(ctx, "bench", n)
	if err != nil {
		return country.Form{}, err
	}
	history := t.history("01K00000000000000000000001", 128, true)
	accepted := history[len(history)-1].(events.AuthorityAccepted)
	i := projections.Invoice{ID: "01K00000000000000000000001", Document: t.Document, Profile: t.Profile, Taxes: t.Taxes,
		BranchOffice: 1, Number: 128, Authorization: &accepted.Authorization, Sandbox: true, AcceptedAt: time.Now()}
	return ar.Rules{}.Form(i.Issued()), nil
}

func renders(draw func() ([]byte, error)) func(context.Context, time.Duration) (sample, error) {
	return func(ctx context.Context, d time.Duration) (s sample, err error) {
		before, started := ownCPU(), time.Now()
		for ; time.Since(started) < d && ctx.Err() == nil; s.ops++ {
			out, err := draw()
			if err != nil || !bytes.HasPrefix(out, []byte("%PDF-")) {
				return s, fmt.Errorf("render: %w", err)
			}
		}
		s.wall, s.cpu = time.Since(started), ownCPU()-before
		return s, ctx.Err()
	}
}

// fetch reads invoices, or with a suffix their documents, by one client.
func fetch(p *process, s *past, suffix string, ids []string) wire {
	return wire{address: p.address, clients: 1, want: http.StatusOK, request: func(_, n int) []byte {
		return message("GET", "/api/invoices/"+ids[n%len(ids)]+suffix, s.tenant.keys[0], nil)
	}}
}

// once hands out invoices whose document nobody has asked for.
type once struct{ ids []string }

func (o *once) run(ctx context.Context, p *process, s *past) (sample, error) {
	n := min(downloads, len(o.ids))
	if n == 0 {
		return sample{}, errors.New("no invoice is left whose document was never asked for")
	}
	w := fetch(p, s, "/download-pdf/A4", o.ids[:n])
	o.ids = o.ids[n:]
	return w.times(ctx, n)
}
