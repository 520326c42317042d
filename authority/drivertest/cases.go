package drivertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"folio/authority"
	"folio/events"
)

// bench is one case at work.
type bench struct {
	Authority
	t *testing.T

	mu    sync.Mutex
	heard []authority.Exchange
}

func (b *bench) record(x authority.Exchange) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.heard = append(b.heard, x)
}

func (b *bench) batch(first int64, n int) authority.Batch {
	out := authority.Batch{Series: b.Series}
	for i := range n {
		out.Documents = append(out.Documents, b.Document(i, first+int64(i)))
	}
	return out
}

func (b *bench) prepare(batch authority.Batch) authority.Prepared {
	b.t.Helper()
	p, err := b.Driver.Prepare(b.t.Context(), b.Credential, batch)
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

func (b *bench) send(batch authority.Batch) (authority.Answer, error) {
	b.t.Helper()
	return b.Driver.Send(b.t.Context(), b.Credential, batch, b.prepare(batch), b.record)
}

func (b *bench) last() authority.Last {
	b.t.Helper()
	l, err := b.Driver.Last(b.t.Context(), b.Credential, b.Series, b.record)
	if err != nil {
		b.t.Fatal(err)
	}
	return l
}

func (b *bench) find(d authority.Document) authority.Found {
	b.t.Helper()
	f, err := b.Driver.Find(b.t.Context(), b.Credential, b.Series, d, b.record)
	if err != nil {
		b.t.Fatal(err)
	}
	return f
}

// is wants exactly one of the sentinels, or none: then the error is ambiguous.
func (b *bench) is(err, want error) {
	b.t.Helper()
	if err == nil {
		b.t.Fatalf("no error, want %v", want)
	}
	for _, s := range []error{authority.ErrNotSent, authority.ErrRefused, authority.ErrCredential,
		authority.ErrWrongNumber} {
		if errors.Is(err, s) != (s == want) {
			b.t.Errorf("%v: is %v, want %v", err, s, want)
		}
	}
}

func results(a authority.Answer) string {
	out := make([]string, len(a.Outcomes))
	for i, o := range a.Outcomes {
		out[i] = string(o.Result)
	}
	return strings.Join(out, " ")
}

func (b *bench) newSeries() {
	if l := b.last(); l.Number != 0 || l.BatchLimit < 1 {
		b.t.Errorf("%+v", l)
	}
	if b.Driver.Name() == "" {
		b.t.Error("a driver has a name")
	}
	if err := b.Driver.Ping(b.t.Context(), b.Credential.Environment); err != nil {
		b.t.Error(err)
	}
}

func (b *bench) prepares() {
	n := b.most(2)
	b.Cut(true)
	one, two := b.prepare(b.batch(1, n)), b.prepare(b.batch(1, n))
	if !bytes.Equal(one.Content, two.Content) || one.SHA256 != authority.Prepare(one.Content).SHA256 {
		b.t.Errorf("prepared twice: %s and %s", one.SHA256, two.SHA256)
	}
	if other := b.prepare(b.batch(2, n)); other.SHA256 == one.SHA256 {
		b.t.Error("other numbers are other bytes")
	}
}

func (b *bench) accepts() {
	batch := b.batch(1, 3)
	a, err := b.send(batch)
	if err != nil {
		b.t.Fatal(err)
	}
	codes := map[string]bool{}
	for i, o := range a.Outcomes {
		doc := batch.Documents[i]
		if o.Invoice != doc.Invoice || o.Number != doc.Number || o.Result != events.Accepted || o.Authorization == nil ||
			o.Authorization.Code == "" || !o.Sandbox {
			b.t.Fatalf("document %d: %+v", i, o)
		}
		codes[o.Authorization.Code] = true
		f := b.find(doc)
		if !f.Exists || !f.Same || f.Authorization.Code != o.Authorization.Code ||
			f.Authorization.ExpiresOn != o.Authorization.ExpiresOn || !f.Sandbox {
			b.t.Errorf("document %d is found as %+v, was accepted as %+v", i, f, o.Authorization)
		}
	}
	if len(codes) != 3 || b.last().Number != 3 {
		b.t.Errorf("%d authorizations up to number %d", len(codes), b.last().Number)
	}
	if a, err := b.send(b.batch(4, 1)); err != nil || results(a) != "accepted" {
		b.t.Errorf("the next one: %s, %v", results(a), err)
	}
}

func (b *bench) findsNothing() {
	if f := b.find(b.Document(0, 1)); f.Exists || f.Same {
		b.t.Errorf("%+v", f)
	}
}

func (b *bench) tellsApart() {
	if _, err := b.send(b.batch(1, 1)); err != nil {
		b.t.Fatal(err)
	}
	if f := b.find(b.Document(7, 1)); !f.Exists || f.Same || f.Difference == "" {
		b.t.Errorf("%+v", f)
	}
}

func (b *bench) refuses() {
	b.Refuse(1)
	batch := b.batch(1, 4)
	a, err := b.send(batch)
	if err != nil || results(a) != "accepted rejected not_processed not_processed" {
		b.t.Fatalf("%s, %v", results(a), err)
	}
	for i, o := range a.Outcomes {
		if (i == 1) != (len(o.Messages) > 0) || (i > 0) != (o.Authorization == nil) {
			b.t.Errorf("document %d: %+v", i, o)
		}
		if f := b.find(batch.Documents[i]); f.Exists != (i == 0) {
			b.t.Errorf("document %d: %+v", i, f)
		}
	}
	if n := b.last().Number; n != 1 {
		b.t.Errorf("a refusal took a number: the last is %d", n)
	}
}

func (b *bench) losesAnswer() {
	b.Lose()
	batch := b.batch(1, 2)
	_, err := b.send(batch)
	b.is(err, nil)
	for _, doc := range batch.Documents {
		if f := b.find(doc); !f.Same || f.Authorization.Code == "" {
			b.t.Errorf("%+v", f)
		}
	}
}

func (b *bench) ignored() {
	b.Ignore()
	batch := b.batch(1, 1)
	_, err := b.send(batch)
	b.is(err, nil)
	if f := b.find(batch.Documents[0]); f.Exists || b.last().Number != 0 {
		b.t.Errorf("%+v", f)
	}
	if a, err := b.send(batch); err != nil || results(a) != "accepted" {
		b.t.Errorf("sent again: %s, %v", results(a), err)
	}
}

func (b *bench) sendsTwice() {
	batch := b.batch(1, 2)
	first, err := b.send(batch)
	if err != nil {
		b.t.Fatal(err)
	}
	_, err = b.send(batch)
	b.is(err, authority.ErrWrongNumber)
	if f := b.find(batch.Documents[0]); b.last().Number != 2 ||
		f.Authorization.Code != first.Outcomes[0].Authorization.Code {
		b.t.Errorf("last number %d, %+v", b.last().Number, f)
	}
}

func (b *bench) takenNumber() {
	b.Take()
	batch := b.batch(1, 1)
	_, err := b.send(batch)
	b.is(err, authority.ErrWrongNumber)
	var m *authority.Message
	if !errors.As(err, &m) || m.Code == "" || m.Text == "" {
		b.t.Errorf("%v does not say what the authority said", err)
	}
	if f := b.find(batch.Documents[0]); !f.Exists || f.Same {
		b.t.Errorf("%+v", f)
	}
}

func (b *bench) outOfReach() {
	b.last() // a ticket at hand, so that it is the call that does not arrive
	batch := b.batch(1, 1)
	b.Cut(true)
	_, err := b.send(batch)
	b.is(err, authority.ErrNotSent)
	if _, err := b.Driver.Last(b.t.Context(), b.Credential, b.Series, b.record); err == nil {
		b.t.Error("a last number out of nowhere")
	}
	if f, err := b.Driver.Find(b.t.Context(), b.Credential, b.Series, batch.Documents[0], b.record); err == nil {
		b.t.Errorf("silence was taken for an answer: %+v", f)
	}
	if err := b.Driver.Ping(b.t.Context(), b.Credential.Environment); err == nil {
		b.t.Error("nobody answered, and it is there")
	}
	b.Cut(false)
	if a, err := b.send(batch); err != nil || results(a) != "accepted" {
		b.t.Errorf("%s, %v", results(a), err)
	}
}

func (b *bench) refusedCredential() {
	_, err := b.Driver.Last(b.t.Context(), b.Refused, b.Series, b.record)
	b.is(err, authority.ErrCredential)
	var m *authority.Message
	if !errors.As(err, &m) || m.Code == "" {
		b.t.Errorf("%v does not say what the authority said", err)
	}
}

func (b *bench) cancelled() {
	p := b.prepare(b.batch(1, 1))
	ctx, cancel := context.WithCancel(b.t.Context())
	cancel()
	if _, err := b.Driver.Send(ctx, b.Credential, b.batch(1, 1), p, b.record); err == nil {
		b.t.Error("sent for nobody")
	}
	if n := b.last().Number; n != 0 {
		b.t.Errorf("number %d was issued for nobody", n)
	}
}

func (b *bench) concurrent() {
	if _, err := b.send(b.batch(1, 3)); err != nil {
		b.t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			f, err := b.Driver.Find(context.Background(), b.Credential, b.Series, b.Document(i%3, int64(i%3)+1), b.record)
			if err != nil || !f.Same {
				b.t.Errorf("%d: %+v, %v", i, f, err)
			}
			if l, err := b.Driver.Last(context.Background(), b.Credential, b.Series, nil); err != nil || l.Number != 3 {
				b.t.Errorf("%d: %+v, %v", i, l, err)
			}
		})
	}
	wg.Wait()
}

func (b *bench) records() {
	b.last()
	b.heard = nil
	b.Lose()
	batch := b.batch(1, 1)
	_, _ = b.send(batch)
	b.find(batch.Documents[0])
	if len(b.heard) != 2 || b.heard[0].Fault == "" || b.heard[1].Fault != "" || len(b.heard[1].Answer) == 0 {
		b.t.Fatalf("%d exchanges", len(b.heard))
	}
	for _, x := range b.heard {
		if x.Operation == "" || x.At.IsZero() || len(x.Request) == 0 {
			b.t.Errorf("%+v", x)
		}
		for i, secret := range b.Secrets() {
			if all := string(x.Request) + string(x.Answer) + x.Fault + fmt.Sprint(x); secret == "" ||
				strings.Contains(all, secret) {
				b.t.Errorf("secret %d (%d bytes) is in the exchange %s", i, len(secret), x.Operation)
			}
		}
	}
}
