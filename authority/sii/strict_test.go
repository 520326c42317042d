package sii_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"folio/authority"
	"folio/events"
	siisandbox "folio/sandbox/sii"
)

// What the sandbox refuses is what makes its acceptance mean something.
func TestTheSandboxRefusesWhatSIIWould(t *testing.T) {
	change := func(old, new string) func([]byte) []byte {
		return func(b []byte) []byte {
			if !bytes.Contains(b, []byte(old)) {
				panic("nothing to change: " + old)
			}
			return bytes.Replace(b, []byte(old), []byte(new), 1)
		}
	}
	for _, c := range []struct {
		name   string
		change func([]byte) []byte
		want   string
	}{
		{"UTF-8 under a Latin-1 declaration", change("<RznSoc>Almac\xe9n", "<RznSoc>Almacén"), "RFR"},
		{"no declaration", change(` encoding="ISO-8859-1"`, ""), "7"},
		{"no schemaLocation", change(` xsi:schemaLocation="http://www.sii.cl/SiiDte EnvioDTE_v10.xsd"`, ""), "7"},
		{"another order", change("<TipoDTE>33</TipoDTE><Folio>1</Folio>", "<Folio>1</Folio><TipoDTE>33</TipoDTE>"), "7"},
		{"an element that is missing", change("<CmnaRecep>Providencia</CmnaRecep>", "<CmnaRecep></CmnaRecep>"), "7"},
		{"an element too long", change("<CmnaRecep>Providencia", "<CmnaRecep>"+strings.Repeat("x", 21)), "7"},
		{"money with decimals", change("<MontoItem>21000<", "<MontoItem>21000.5<"), "7"},
		{"another total", change("<MntTotal>24990<", "<MntTotal>24991<"), "RFR"},
		{"another receiver", change("<RutReceptor>60803000-K<", "<RutReceptor>76192083-9<"), "RFR"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			b := w.batch("FAC", 0, 1)
			_, err := w.send(b, authority.Prepare(c.change(w.prepare(b).Content)))
			if err == nil {
				f := w.find(b)
				err = fmt.Errorf("%w: %v", authority.ErrRefused, f.Observations)
				if !f.Rejected {
					t.Errorf("%+v", f)
				}
			}
			if !errors.Is(err, authority.ErrRefused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func TestTheSandboxJudgesDocuments(t *testing.T) {
	refused := func(w *world, b authority.Batch, code string) {
		t.Helper()
		a, err := w.send(b, w.prepare(b))
		if err != nil || a.Outcomes[0].Result != events.Rejected ||
			!strings.Contains(fmt.Sprint(a.Outcomes[0].Messages), code) {
			t.Errorf("want %s: %+v, %v", code, a, err)
		}
	}
	t.Run("an expired CAF", func(t *testing.T) {
		w := newWorld(t)
		file, err := material().folios.IssueCAF(siisandbox.CAF{TaxIdentifier: issuerRUT, Type: 33, From: 1, To: 9,
			Date: noon.AddDate(0, -6, -1)})
		if err != nil {
			t.Fatal(err)
		}
		b := w.batch("FAC", 0, 1)
		b.Documents[0].Range = &authority.Range{File: file, From: 1, To: 9}
		refused(w, b, "CAF-3-517")
		k := w.server.Knobs()
		k.TakeExpired = true
		w.server.SetKnobs(k)
		b = w.batch("FAC", 0, 2)
		b.Documents[0].Range = &authority.Range{File: file, From: 1, To: 9}
		if a, err := w.send(b, w.prepare(b)); err != nil || a.Outcomes[0].Result != events.Accepted ||
			len(a.Outcomes[0].Messages) == 0 {
			t.Errorf("%+v, %v", a, err)
		}
	})
	t.Run("another authority's CAF", func(t *testing.T) {
		w := newWorld(t)
		other, err := siisandbox.OpenFolios(t.TempDir(), time.Now)
		if err != nil {
			t.Fatal(err)
		}
		file, err := other.IssueCAF(siisandbox.CAF{TaxIdentifier: issuerRUT, Type: 33, From: 1, To: 9, Date: noon})
		if err != nil {
			t.Fatal(err)
		}
		b := w.batch("FAC", 0, 1)
		b.Documents[0].Range = &authority.Range{File: file, From: 1, To: 9}
		refused(w, b, "CAF-3-516")
	})
	t.Run("another resolution", func(t *testing.T) {
		w := newWorld(t)
		w.server.SetKnobs(siisandbox.Knobs{Resolutions: map[string]string{issuerRUT: "81 2014-08-22"}})
		refused(w, w.batch("FAC", 0, 1), "RCT")
	})
	t.Run("a folio that is taken", func(t *testing.T) {
		w := newWorld(t)
		b := w.batch("FAC", 0, 1)
		if _, err := w.send(b, w.prepare(b)); err != nil {
			t.Fatal(err)
		}
		if f := w.find(w.batch("FAC", 1, 1)); !f.Exists || f.Same {
			t.Errorf("%+v", f)
		}
	})
}

func TestStateSurvivesARestart(t *testing.T) {
	dir := t.TempDir()
	open := func() *siisandbox.Server {
		s, err := siisandbox.Open(t.Context(), siisandbox.Options{Dir: dir, CA: material().ca, Folios: material().folios,
			Now: func() time.Time { return noon }})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	w := newWorld(t)
	first := open()
	w.swap(first)
	b := w.batch("FAC", 0, 1)
	if _, err := w.send(b, w.prepare(b)); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := open()
	defer second.Close()
	w.swap(second)
	if f := w.find(b); !f.Exists || !f.Same || f.Authorization.Code == "" {
		t.Errorf("%+v", f)
	}
}
