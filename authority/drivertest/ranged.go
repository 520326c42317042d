package drivertest

import (
	"context"
	"errors"
	"strings"
	"sync"

	"folio/authority"
	"folio/events"
)

// most is n, or what a call takes if that is less.
func (b *bench) most(n int) int {
	b.t.Helper()
	return min(n, b.last().BatchLimit)
}

// patience bounds how often a document is asked for.
const patience = 50

// decided asks for a document until the authority has decided on it.
func (b *bench) decided(d authority.Document) authority.Found {
	b.t.Helper()
	for range patience {
		f, err := b.Driver.Find(b.t.Context(), b.Credential, b.Series, d, b.record)
		switch {
		case err != nil && !errors.Is(err, authority.ErrPending):
			b.t.Fatal(err)
		case err == nil && !f.Pending:
			return f
		}
		b.Wait()
	}
	b.t.Fatalf("number %d is not decided after %d questions", d.Number, patience)
	return authority.Found{}
}

// settle sends what was prepared and asks until all of it is decided, as submission does.
func (b *bench) settle(batch authority.Batch, p authority.Prepared) []authority.Found {
	b.t.Helper()
	a, err := b.Driver.Send(b.t.Context(), b.Credential, batch, p, b.record)
	if err != nil && !errors.Is(err, authority.ErrPending) {
		b.t.Fatal(err)
	}
	out := make([]authority.Found, len(batch.Documents))
	for i, doc := range batch.Documents {
		f := b.decided(doc)
		if err == nil {
			b.agree(doc, a.Outcomes[i], f)
		}
		out[i] = f
	}
	return out
}

// agree wants the outcome of a call to be what is found afterwards.
func (b *bench) agree(doc authority.Document, o events.Outcome, f authority.Found) {
	b.t.Helper()
	if o.Invoice != doc.Invoice || o.Number != doc.Number || (o.Result == events.Rejected) != f.Rejected || !f.Exists ||
		!f.Same {
		b.t.Errorf("number %d: %+v, and is found as %+v", doc.Number, o, f)
	}
	if o.Authorization != nil && (o.Authorization.Code != f.Authorization.Code || o.Sandbox != f.Sandbox) {
		b.t.Errorf("number %d: %+v, and is found as %+v", doc.Number, o.Authorization, f.Authorization)
	}
}

// accepted wants a document to be found, accepted and without fiscal value.
func (b *bench) accepted(f authority.Found) {
	b.t.Helper()
	if !f.Exists || !f.Same || f.Pending || f.Rejected || f.Authorization.Type == "" || f.Authorization.Code == "" ||
		!f.Sandbox {
		b.t.Errorf("%+v", f)
	}
}

func (b *bench) decides() {
	n := b.most(3)
	for first := int64(1); first <= 3; first += int64(n) {
		batch := b.batch(first, n)
		for _, f := range b.settle(batch, b.prepare(batch)) {
			b.accepted(f)
		}
	}
}

func (b *bench) tellsApartLater() {
	batch := b.batch(1, 1)
	b.settle(batch, b.prepare(batch))
	if f := b.decided(b.Document(7, 1)); !f.Exists || f.Same || f.Difference == "" {
		b.t.Errorf("%+v", f)
	}
}

func (b *bench) refusesOne() {
	n := b.most(4)
	for first := 1; first <= 4; first += n {
		if first <= 2 && 2 < first+n {
			b.Refuse(2 - first)
		}
		batch := b.batch(int64(first), n)
		for i, f := range b.settle(batch, b.prepare(batch)) {
			if first+i != 2 {
				b.accepted(f)
			} else if !f.Exists || !f.Same || !f.Rejected || len(f.Observations) == 0 || f.Observations[0].Code == "" {
				b.t.Errorf("the refused one: %+v", f)
			}
		}
	}
}

// goesAlone is of drivers with several documents in a call.
func (b *bench) goesAlone() {
	s := b.Driver.Can().Splitter
	if s == nil {
		return
	}
	batch := b.batch(1, b.most(3))
	p := b.prepare(batch)
	b.RefuseAll()
	_, err := b.Driver.Send(b.t.Context(), b.Credential, batch, p, b.record)
	b.is(err, authority.ErrRefused)
	parts, err := s.Split(batch, p)
	if err != nil || len(parts) != len(batch.Documents) {
		b.t.Fatalf("%d parts of %d documents, %v", len(parts), len(batch.Documents), err)
	}
	for i, doc := range batch.Documents {
		if f := b.decided(doc); f.Exists {
			b.t.Errorf("number %d was refused, and is found: %+v", doc.Number, f)
		}
		alone := authority.Batch{Series: batch.Series, Documents: []authority.Document{doc}}
		if i == 0 { // an answer that is lost changes nothing
			b.Lose()
			_, err := b.Driver.Send(b.t.Context(), b.Credential, alone, parts[i], b.record)
			b.is(err, nil)
		}
		for _, f := range b.settle(alone, parts[i]) {
			b.accepted(f)
		}
	}
	b.Driver = b.Restart()
	for _, doc := range batch.Documents {
		b.accepted(b.decided(doc))
	}
}

func (b *bench) losesAnswerLater() {
	b.Lose()
	batch := b.batch(1, b.most(2))
	p := b.prepare(batch)
	_, err := b.Driver.Send(b.t.Context(), b.Credential, batch, p, b.record)
	b.is(err, nil)
	// An authority may not show what it has before it has decided: then the same bytes go
	// out again.
	if f := b.decided(batch.Documents[0]); !f.Exists {
		b.settle(batch, p)
	}
	for _, doc := range batch.Documents {
		b.accepted(b.decided(doc))
	}
}

func (b *bench) ignoredOnce() {
	b.Ignore()
	batch := b.batch(1, b.most(2))
	p := b.prepare(batch)
	_, err := b.Driver.Send(b.t.Context(), b.Credential, batch, p, b.record)
	b.is(err, nil)
	for _, doc := range batch.Documents {
		if f := b.decided(doc); f.Exists {
			b.t.Errorf("%+v", f)
		}
	}
	for _, f := range b.settle(batch, p) {
		b.accepted(f)
	}
}

func (b *bench) sendsAgain() {
	batch := b.batch(1, b.most(2))
	p := b.prepare(batch)
	first := b.settle(batch, p)
	for i, again := range b.settle(batch, p) {
		b.accepted(again)
		if name := b.Printed(again.Authorization); name == "" || name != b.Printed(first[i].Authorization) {
			b.t.Errorf("first %+v, then %+v", first[i].Authorization, again.Authorization)
		}
	}
}

func (b *bench) takenFromRange() {
	b.Take()
	batch := b.batch(1, 1)
	a, err := b.send(batch)
	if err == nil && a.Outcomes[0].Result != events.Rejected {
		b.t.Fatalf("%+v", a)
	}
	if f := b.decided(batch.Documents[0]); !f.Exists || f.Same && !f.Rejected {
		b.t.Errorf("%+v", f)
	}
}

func (b *bench) outOfReachOfRange() {
	batch := b.batch(1, b.most(2))
	p := b.prepare(batch)
	b.Cut(true)
	_, err := b.Driver.Send(b.t.Context(), b.Credential, batch, p, b.record)
	b.is(err, authority.ErrNotSent)
	if f, err := b.Driver.Find(b.t.Context(), b.Credential, b.Series, batch.Documents[0], b.record); err == nil {
		b.t.Errorf("silence was taken for an answer: %+v", f)
	}
	if err := b.Driver.Ping(b.t.Context(), b.Credential.Environment); err == nil {
		b.t.Error("nobody answered, and it is there")
	}
	b.Cut(false)
	for _, f := range b.settle(batch, p) {
		b.accepted(f)
	}
}

func (b *bench) leaves() {
	batch := b.batch(1, 1)
	p := b.prepare(batch)
	ctx, cancel := context.WithCancel(b.t.Context())
	cancel()
	if _, err := b.Driver.Send(ctx, b.Credential, batch, p, b.record); err == nil {
		b.t.Error("sent for nobody")
	}
	if f := b.decided(batch.Documents[0]); f.Exists {
		b.t.Errorf("issued for nobody: %+v", f)
	}
}

func (b *bench) manyAsk() {
	n := b.most(3)
	batch := b.batch(1, n)
	b.settle(batch, b.prepare(batch))
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			f, err := b.Driver.Find(context.Background(), b.Credential, b.Series, b.Document(i%n, int64(i%n)+1), b.record)
			if err != nil || !f.Same || f.Pending {
				b.t.Errorf("%d: %+v, %v", i, f, err)
			}
			if l, err := b.Driver.Last(context.Background(), b.Credential, b.Series, nil); err != nil || l.BatchLimit < 1 {
				b.t.Errorf("%d: %+v, %v", i, l, err)
			}
		})
	}
	wg.Wait()
}

func (b *bench) recordsAll() {
	b.last()
	b.heard = nil
	b.Lose()
	batch := b.batch(1, 1)
	_, _ = b.send(batch)
	b.decided(batch.Documents[0])
	if len(b.heard) < 2 || b.heard[0].Fault == "" {
		b.t.Fatalf("%d exchanges", len(b.heard))
	}
	for i, x := range b.heard {
		if x.Operation == "" || x.At.IsZero() || len(x.Request) == 0 || i > 0 && (x.Fault != "" || len(x.Answer) == 0) {
			b.t.Errorf("%+v", x)
		}
		for i, secret := range b.Secrets() {
			if all := string(x.Request) + string(x.Answer) + x.Fault; secret == "" || strings.Contains(all, secret) {
				b.t.Errorf("secret %d (%d bytes) is in the exchange %s", i, len(secret), x.Operation)
			}
		}
	}
}

func (b *bench) restarts() {
	batch := b.batch(1, b.most(2))
	p := b.prepare(batch)
	if _, err := b.Driver.Send(b.t.Context(), b.Credential, batch, p, b.record); err != nil &&
		!errors.Is(err, authority.ErrPending) {
		b.t.Fatal(err)
	}
	b.Driver = b.Restart()
	for _, doc := range batch.Documents {
		b.accepted(b.decided(doc))
	}
}
