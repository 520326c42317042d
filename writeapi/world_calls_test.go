package writeapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"folio/commands"
	"folio/commands/invoice"
	"folio/events"
)

// answer is what came back.
type answer struct {
	*httptest.ResponseRecorder
	t testing.TB
}

// call sends one request; headers are "Name: value".
func (w *world) call(method, path, body string, headers ...string) answer {
	w.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	w.router.ServeHTTP(rec, r)
	return answer{rec, w.t}
}

func (a answer) want(status int) answer {
	a.t.Helper()
	if a.Code != status {
		a.t.Fatalf("status %d, want %d: %s", a.Code, status, a.Body)
	}
	return a
}

func (a answer) object() map[string]any {
	a.t.Helper()
	return decoded(a.t, a.Body.String())
}

func (a answer) text(member string) string {
	a.t.Helper()
	s, ok := a.object()[member].(string)
	if !ok {
		a.t.Fatalf("%s is no text: %s", member, a.Body)
	}
	return s
}

// fails wants a problem with the constant and, when given, exactly these violations
// as "path CODE", in any order.
func (a answer) fails(status int, constant string, violations ...string) {
	a.t.Helper()
	a.want(status)
	var p struct {
		Message string
		Code    string
		Errors  []struct{ Path, Code, Message string }
	}
	check(a.t, json.Unmarshal(a.Body.Bytes(), &p))
	if p.Message != constant || p.Code == "" {
		a.t.Errorf("message is %s, want %s: %s", p.Message, constant, a.Body)
	}
	if violations == nil {
		return
	}
	missing := map[string]int{}
	for _, v := range violations {
		missing[v]++
	}
	for _, e := range p.Errors {
		missing[e.Path+" "+e.Code]--
		if e.Message == "" {
			a.t.Errorf("%s %s says nothing", e.Path, e.Code)
		}
	}
	for v, n := range missing {
		if n != 0 {
			a.t.Errorf("violation %q is %d times too few", v, n)
		}
	}
	if a.t.Failed() {
		a.t.Logf("%s", a.Body)
	}
}

// shop is a company with a key.
type shop struct{ id, key string }

const (
	ana = "Authorization: Bearer token-of-ana"
	bob = "Authorization: Bearer token-of-bob"
)

func (w *world) company() shop {
	w.t.Helper()
	id := w.call("POST", "/api/companies", `{"legal_name":"Molinos del Plata S.A.","tax_identifier":"`+cuit+
		`","tax_identifier_name":"CUIT","start_activities_date":"1999-03-01","id_currency":1}`,
		ana).want(201).text("id_company")
	key := w.call("POST", "/api/companies/apikey", `{"id_company":"`+id+`","description":"Tienda"}`,
		ana).want(201).text("api_key")
	return shop{id, "x-api-key: " + key}
}

// sample is the specification's body with some members replaced by JSON, or taken
// away where it is "".
func sample(t testing.TB, changes ...string) string {
	t.Helper()
	raw, err := os.ReadFile("../country/ar/testdata/specification_sample.json")
	check(t, err)
	v := decoded(t, string(raw))
	for i := 0; i < len(changes); i += 2 {
		change(t, v, strings.Split(changes[i], "."), changes[i+1])
	}
	return encoded(t, v)
}

func change(t testing.TB, v map[string]any, path []string, value string) {
	t.Helper()
	if len(path) > 1 {
		inner, ok := v[path[0]].(map[string]any)
		if raw, changed := v[path[0]].(json.RawMessage); changed {
			inner, ok = decoded(t, string(raw)), true
		}
		if !ok {
			inner = map[string]any{}
		}
		v[path[0]] = inner
		change(t, inner, path[1:], value)
		return
	}
	if value == "" {
		delete(v, path[0])
		return
	}
	v[path[0]] = json.RawMessage(value)
}

// settle accepts an invoice as the authority would.
func (w *world) settle(id string, number int64) {
	w.t.Helper()
	for i, c := range []invoice.Command{
		invoice.StartSubmission{Submission: "S-" + id, Environment: "Testing", Number: number},
		invoice.RecordAcceptance{Submission: "S-" + id, BranchOffice: 1,
			Outcome: events.Outcome{Invoice: id, Number: number, Result: events.Accepted,
				Authorization: &events.Authorization{Type: "CAE", Code: "76123456789012", ExpiresOn: "2026-12-07",
					QR: "https://www.arca.gob.ar/fe/qr/?p=e30="}, Sandbox: true}},
	} {
		_, err := commands.Bind(w.x, invoice.Decider).Execute(context.Background(), id, c,
			commands.Request{ID: commands.Derived("settle", id, fmt.Sprint(i)), Actor: "test", At: w.now()})
		check(w.t, err)
	}
	if !w.behind { // notes find documents by their coordinates there
		at, err := w.log.Head(context.Background())
		check(w.t, err)
		check(w.t, w.shown.WaitFor(context.Background(), "invoices", at))
	}
}

func (w *world) reject(id string) {
	w.t.Helper()
	for i, c := range []invoice.Command{
		invoice.StartSubmission{Submission: "S-" + id, Environment: "Testing", Number: 9},
		invoice.RecordRejection{Submission: "S-" + id,
			Reasons: []events.AuthorityMessage{{Code: "10015", Text: "DocNro no se encuentra registrado"}}},
	} {
		_, err := commands.Bind(w.x, invoice.Decider).Execute(context.Background(), id, c,
			commands.Request{ID: commands.Derived("reject", id, fmt.Sprint(i)), Actor: "test", At: w.now()})
		check(w.t, err)
	}
}

// position is that of the last event.
func (w *world) position() string {
	at, _ := w.log.Head(context.Background())
	return "Folio-Min-Position: " + at.String()
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func decoded(t testing.TB, body string) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	var v map[string]any
	check(t, d.Decode(&v))
	return v
}

func encoded(t testing.TB, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	check(t, err)
	return string(out)
}
