package sqlite

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"folio/tables"
)

const many = 100_000

// cpu reports the processor time of an operation: unlike the wall's, it means the same
// on a busy machine. Call what it returns after the loop.
func cpu(b *testing.B) func() {
	spent := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	start := spent()
	return func() { b.ReportMetric(float64((spent()-start).Nanoseconds())/1e3/float64(b.N), "cpu-us/op") }
}

func BenchmarkApply500(b *testing.B) {
	s := filled(b, 0)
	from := 1
	defer cpu(b)()
	for b.Loop() {
		if err := s.Apply(b.Context(), batch(from, 500)); err != nil {
			b.Fatal(err)
		}
		from += 500
	}
	b.ReportMetric(float64(b.N)*500/b.Elapsed().Seconds(), "docs/s")
}

// BenchmarkLive is what a projection does with the few events that are at hand: look for
// the documents, write them under its lease, move the checkpoint.
func BenchmarkLive(b *testing.B) {
	for _, n := range []int{1, 16} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := filled(b, 0)
			g, ok, err := s.Acquire(b.Context(), "lease", "me", time.Hour)
			if err != nil || !ok {
				b.Fatal(ok, err)
			}
			from := 1
			defer cpu(b)()
			for b.Loop() {
				next := batch(from, n)
				next.Lease = &g
				ids := make([]string, n)
				for i, d := range next.Writes[0].Documents {
					ids[i] = d.ID
				}
				if found, err := s.GetMany(b.Context(), invoices.Name, ids); err != nil || len(found) > 0 {
					b.Fatal(len(found), err)
				}
				if err := s.Apply(b.Context(), next); err != nil {
					b.Fatal(err)
				}
				from += n
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	s := filled(b, many)
	b.Run("get", func(b *testing.B) {
		defer cpu(b)()
		for i := 0; b.Loop(); i++ {
			if _, err := s.Get(b.Context(), invoices.Name, id(1+i*7919%many)); err != nil {
				b.Fatal(err)
			}
		}
	})
	page := tables.Query{Table: invoices.Name, List: "company", Limit: 100, NewestFirst: true, BodiesOnly: true}
	for _, c := range []struct {
		name   string
		change func(*tables.Query)
	}{
		{"page 1", func(*tables.Query) {}},
		{"page 1 with attributes", func(q *tables.Query) { q.BodiesOnly = false }},
		{"page 1000", func(q *tables.Query) { q.Offset = 99_900 }},
		{"status accepted, 90 percent", func(q *tables.Query) {
			q.Filters = []tables.Filter{{Attribute: "status", Op: tables.EqualFold, Value: "accepted"}}
		}},
		{"status and month", func(q *tables.Query) {
			q.Filters = []tables.Filter{{Attribute: "status", Op: tables.EqualFold, Value: "accepted"},
				{Attribute: "date", Op: tables.AtLeast, Value: "2020-03-01"},
				{Attribute: "date", Op: tables.AtMost, Value: "2020-03-31"}}
		}},
		{"one reference", func(q *tables.Query) {
			q.Filters = []tables.Filter{{Attribute: "reference", Op: tables.EqualFold, Value: "REF77"}}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			q := page
			c.change(&q)
			defer cpu(b)()
			for b.Loop() {
				if p, err := s.Page(b.Context(), q); err != nil || len(p.Documents) == 0 {
					b.Fatal(len(p.Documents), err)
				}
			}
		})
	}
}
