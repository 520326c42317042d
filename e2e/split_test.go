package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// marked is an e-Factura with a mark of the sandbox's in the text of its line.
func marked(n int, mark string) map[string]any {
	out := uruguayos("EFA", fmt.Sprint("pedido ", n), 1+n%5)
	if mark != "" {
		out["items"].([]map[string]any)[0]["description"] = "Yerba SANDBOX:" + mark
	}
	return out
}

// together has a company create documents with those marks and then gets the numbers for
// them, so that all are in one envelope.
func (c company) together(t testing.TB, dir string, first int, marks ...string) (ids []string) {
	t.Helper()
	for i, mark := range marks {
		ids = append(ids, c.post(t, marked(first+i, mark)).ID)
	}
	c.enumerate(t, http.StatusCreated, 111, cae(t, dir, rucIssuer, 111, "A", first, first+len(marks)-1))
	return ids
}

// kinds are the types of the facts of a stream that an invoice's history shows.
func factsOf(t testing.TB, dir, id, stream string) (out []string) {
	t.Helper()
	for _, f := range history(t, dir, id) {
		if strings.HasPrefix(f.Stream, stream+"-") {
			out = append(out, f.Type)
		}
	}
	return out
}

// TestOneBadDocumentRejectsNoOther sends five e-Facturas in an envelope that DGI refuses
// for one of them, and names none.
func TestOneBadDocumentRejectsNoOther(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, "--retry-base", "100ms")
	c := uruguayan(t, p, dir)
	ids := c.together(t, dir, 1, "", "", "cover=S04", "", "")
	c.settle(t, verdictLimit)
	for i, id := range ids {
		got := c.read(t, id)
		if want := fmt.Sprintf("-%08d", i+1); got.Number == nil || !strings.HasSuffix(*got.Number, want) {
			t.Errorf("want the number %s: %s", want, got)
		}
		if (got.Status == "Accepted") != (i != 2) {
			t.Errorf("document %d: %s", i+1, got)
		}
	}
	if said := fmt.Sprint(c.read(t, ids[2]).Rejection); !strings.Contains(said, "S04") ||
		!strings.Contains(said, "issue the invoice again") || strings.Contains(said, "none of the") {
		t.Errorf("the rejection says %s", said)
	}
	calls := succeed(t, "history", ids[0], "--calls", "--data", dir)
	if together, alone := strings.Count(calls, "<CantCFE>5<"), strings.Count(calls, "<CantCFE>1<"); together != 1 ||
		alone != 5 {
		t.Errorf("the history shows %d envelopes of five and %d of one:\n%s", together, alone, calls)
	}
	if got, want := fmt.Sprint(factsOf(t, dir, ids[2], "numbering")),
		"[SubmissionOpened SubmissionSplit SubmissionSettled NumberVoided]"; got != want {
		t.Errorf("the history of the bad one has %s, want %s", got, want)
	}
	if i := c.together(t, dir, 6, ""); len(i) != 1 || !strings.HasSuffix(*c.accepted(t, i[0]).Number, "-00000006") {
		t.Error("the series does not go on behind them")
	}
	p.stop(t)
}

// TestAnOperatorGivesUpWhatIsHiddenOfASplitSubmission: DGI says of one document that went
// alone that it has it, and never shows it.
func TestAnOperatorGivesUpWhatIsHiddenOfASplitSubmission(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, "--retry-base", "100ms")
	c := uruguayan(t, p, dir)
	ids := c.together(t, dir, 1, "cover=S04", "cover=S08", "")
	c.stuck(t, ids[1], "AUTHORITY_CONTRADICTS_ITSELF")
	series := c.id + "-Production-111-0"
	held := succeed(t, "series", "hold", series, "--reason", "looking", "--data", dir)
	c.stuck(t, ids[1], "SERIES_HELD")
	succeed(t, "series", "release", series, "--void", openSubmission(t, held), "--reason", "DGI's page does not show it",
		"--data", dir)
	c.settle(t, verdictLimit)
	for i, want := range []string{"S04", "FOLIO_VOIDED", ""} {
		got := c.read(t, ids[i])
		if (got.Status == "Accepted") != (want == "") || !strings.Contains(fmt.Sprint(got.Rejection), want) {
			t.Errorf("document %d, want %q: %s %v", i+1, want, got, got.Rejection)
		}
	}
	p.stop(t)
}

// splitSteps are those of a submission that is split.
var splitSteps = []struct {
	name string
	arm  func(d *deadly)
}{
	{"all were refused and nobody wrote it down", func(d *deadly) { d.atCall("<CantCFE>3<", true) }},
	{"it is written down", func(d *deadly) { d.whenLogged("SubmissionSplit") }},
	{"a document that goes alone is on its way", func(d *deadly) { d.atCall("<CantCFE>1<", false) }},
	{"it arrived and its answer did not", func(d *deadly) { d.atCall("<CantCFE>1<", true) }},
	{"its verdict was given and is not recorded", func(d *deadly) { d.atCall("EFACCONSULTARESTADOENVIO", true) }},
	{"the submission is settled", func(d *deadly) { d.whenLogged("SubmissionSettled") }},
}

// TestKilledWhileDocumentsGoAlone kills the service at each of those steps, with another
// answer lost besides: every document gets its end under its number, once.
func TestKilledWhileDocumentsGoAlone(t *testing.T) {
	t.Parallel()
	d := &deadly{t: t, n: uruguay, dir: t.TempDir()}
	d.spy = spyOn(t, d.dir)
	flags := append([]string{"--authority-url", d.spy.URL, "--retry-base", "100ms", "--log-level", "warn",
		"--sandbox-latency", "10ms"}, unlimited...)
	d.p = serve(t, d.dir, flags...)
	d.c = uruguayan(t, d.p, d.dir)
	var ids []string
	for i, step := range splitSteps {
		for k, mark := range []string{"", "cover=S04", "lose"} {
			ids = append(ids, d.c.post(t, marked(3*i+k, mark)).ID)
		}
		form, kind := multipartForm(t, map[string]string{"id_document_type": documentTypeID[111]}, "file",
			cae(t, d.dir, rucIssuer, 111, "A", 3*i+1, 3*i+3))
		step.arm(d)
		if a, err := d.c.with("Content-Type", kind).send(http.MethodPost, d.c.path("/enumeration/upload"),
			form); err == nil && a.status != http.StatusCreated {
			t.Fatalf("%d %s", a.status, a.body)
		}
		d.p.dies(t, step.name)
		d.p.clean(t)
		d.p = serve(t, d.dir, flags...)
		d.c.base = d.p.base
		d.c.settle(t, verdictLimit)
	}
	for i, id := range ids {
		got := d.c.read(t, id)
		if number := fmt.Sprintf("-%08d", i+1); got.Number == nil || !strings.HasSuffix(*got.Number, number) ||
			(got.Status == "Accepted") != (i%3 != 1) {
			t.Errorf("killed when %s: want the number %s, Rejected if in the middle: %s", splitSteps[i/3].name, number, got)
		}
	}
	d.p.stop(t)
	for i, id := range ids {
		want := []string{"SubmissionOpened", "SubmissionSplit", "SubmissionSettled"}
		if i%3 == 1 {
			want = append(want, "NumberVoided")
		}
		if got := factsOf(t, d.dir, id, "numbering"); !slices.Equal(got, want) {
			t.Errorf("killed when %s: the series says %v", splitSteps[i/3].name, got)
		}
	}
	d.arrivedOnce(len(ids))
}

// arrivedOnce wants every document but those in the middle at the authority, once.
func (d *deadly) arrivedOnce(made int) {
	d.t.Helper()
	var came, want []int64
	for _, a := range d.n.arrived(d.t, d.dir) {
		came = append(came, a.number)
	}
	slices.Sort(came)
	for n := range int64(made) {
		if n%3 != 1 {
			want = append(want, n+1)
		}
	}
	if !slices.Equal(came, want) {
		d.t.Errorf("the authority has %v, want %v", came, want)
	}
}
