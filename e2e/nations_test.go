package e2e

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// nation is a country whose numbers come from files, as the tests of what all of them
// promise see it.
type nation struct {
	name    string
	holder  [2]string                                          // of certificates: ISO code and identifier
	company func(t testing.TB, p *process, dir string) company // lacks nothing but numbering files
	kinds   []int                                              // three official codes; the first is the invoice
	file    func(t testing.TB, dir string, code, from, to int) []byte
	body    func(code, n int) map[string]any
	// admin scripts faults of the sandbox: those that lose nothing for good, one that
	// refuses a document for good, and one that somebody must put right first.
	admin             string
	troubles          []map[string]any
	final, repairable map[string]any
	repairs           string                                   // reason that is shown until then
	upload, verdict   string                                   // what calls of an invoice have in them
	arrived           func(t testing.TB, dir string) []arrival // at the sandbox of a stopped service
}

// arrival is one document as the sandbox of an authority keeps it.
type arrival struct {
	code   int
	number int64
	sha256 string // of the bytes that it came in
}

// nations are those countries.
var nations = []nation{chile, uruguay}

var chile = nation{
	name: "Chile", holder: [2]string{"cl", rutHolder}, kinds: []int{33, 39, 61},
	company: chilean,
	file: func(t testing.TB, dir string, code, from, to int) []byte {
		return caf(t, dir, rutIssuer, code, from, to)
	},
	body: func(code, n int) map[string]any {
		kind := map[int]string{33: "FAC", 39: "BOL", 61: "NCE"}[code]
		out := pesos(kind, fmt.Sprint("pedido ", n))
		if kind == "NCE" {
			out["billing_reference"] = []map[string]any{{"type": "FAC", "branch_office": 0, "number": 900 + n,
				"date": todayInChile, "document_number": "", "reason_code": "3"}}
		}
		return out
	},
	admin: "/admin/sii/faults",
	troubles: []map[string]any{
		{"operation": "DTEUpload", "effect": "lose", "times": 2}, {"operation": "getEstUp", "effect": "html", "times": 2},
		{"operation": "DTEUpload", "effect": "error", "code": "9", "times": 1},
		{"operation": "boleta.electronica.envio", "effect": "lose", "times": 2},
		{"operation": "boleta.electronica.envio", "effect": "http500", "times": 1},
		{"operation": "DTEUpload", "effect": "error", "code": "5", "times": 1}},
	final: map[string]any{"operation": "DTEUpload", "effect": "reject", "code": "DTE-3-601", "text": "Folio anulado",
		"times": 1},
	repairable: map[string]any{"operation": "DTEUpload", "effect": "error", "code": "6"},
	repairs:    "CERTIFICATE_REFUSED", upload: "DTEUpload", verdict: "getEstUp", arrived: siiArrivals,
}

var uruguay = nation{
	name: "Uruguay", holder: [2]string{"uy", rucIssuer}, kinds: []int{111, 101, 112},
	company: uruguayan,
	file: func(t testing.TB, dir string, code, from, to int) []byte {
		return cae(t, dir, rucIssuer, code, "A", from, to)
	},
	body: func(code, n int) map[string]any {
		kind := map[int]string{111: "EFA", 101: "TIC", 112: "NCF"}[code]
		out := uruguayos(kind, fmt.Sprint("pedido ", n), 1+n%5)
		if kind == "NCF" {
			out["billing_reference"] = []map[string]any{{"type": "EFA", "series": "A", "branch_office": 0, "number": 900 + n,
				"date": todayInUruguay, "document_number": "", "reason_code": "3"}}
		}
		return out
	},
	admin: "/admin/dgi/faults",
	troubles: []map[string]any{
		{"operation": "EFACRECEPCIONSOBRE", "effect": "lose", "times": 2},
		{"operation": "EFACCONSULTARESTADOENVIO", "effect": "html", "times": 2},
		{"operation": "EFACRECEPCIONSOBRE", "effect": "http500", "times": 1},
		{"operation": "EFACCONSULTARESTADOCFE", "effect": "soap_fault", "times": 1},
		{"operation": "EFACRECEPCIONSOBRE", "effect": "truncate", "times": 1}},
	final:      map[string]any{"operation": "EFACRECEPCIONSOBRE", "effect": "reject", "code": "E05", "times": 1},
	repairable: map[string]any{"operation": "EFACRECEPCIONSOBRE", "effect": "error", "code": "10"},
	repairs:    "CERTIFICATE_REFUSED", upload: "EFACRECEPCIONSOBRE", verdict: "EFACCONSULTARESTADOENVIO",
	arrived: dgiArrivals,
}

// dgiArrivals are the documents that the sandbox of DGI keeps.
func dgiArrivals(t testing.TB, dir string) []arrival {
	t.Helper()
	return arrivals(t, filepath.Join(dir, "sandbox", "dgi-sandbox.db"),
		"SELECT d.type, d.number, e.sha256 FROM document d JOIN envelope e ON e.id = d.envelope")
}

// siiArrivals are the documents that the sandbox of SII keeps.
func siiArrivals(t testing.TB, dir string) []arrival {
	t.Helper()
	return arrivals(t, filepath.Join(dir, "sandbox", "sii-sandbox.db"),
		"SELECT d.type, d.folio, e.sha256 FROM document d JOIN envelope e ON e.track = d.track")
}

func arrivals(t testing.TB, file, query string) (out []arrival) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var a arrival
		if err := rows.Scan(&a.code, &a.number, &a.sha256); err != nil {
			t.Fatal(err)
		}
		out = append(out, a)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// script adds faults to the sandbox of a nation's authority.
func (n nation) script(t testing.TB, dir string, faults ...map[string]any) {
	t.Helper()
	if len(faults) == 0 {
		return
	}
	body, err := json.Marshal(faults)
	if err != nil {
		t.Fatal(err)
	}
	n.administer(t, dir, http.MethodPost, body)
}

func (n nation) administer(t testing.TB, dir, method string, body []byte) {
	t.Helper()
	address, err := os.ReadFile(filepath.Join(dir, "sandbox", "address"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, strings.TrimSpace(string(address))+n.admin,
		bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	if a.StatusCode >= 300 {
		t.Fatalf("%s %s: %s", method, n.admin, a.Status)
	}
}

// number uploads a numbering file of a kind and gives its id_enumeration.
func (n nation) number(t testing.TB, c company, dir string, code, from, to int) string {
	t.Helper()
	return decode[struct {
		ID string `json:"id_enumeration"`
	}](t, c.enumerate(t, http.StatusCreated, code, n.file(t, dir, code, from, to))).ID
}

// documentTypeID is id_document_type by the official code.
var documentTypeID = map[int]string{33: "55", 39: "57", 61: "62", 101: "70", 111: "73", 112: "74"}

// enumerate uploads a numbering file.
func (c company) enumerate(t testing.TB, status, code int, file []byte) answer {
	t.Helper()
	form, kind := multipartForm(t, map[string]string{"id_document_type": documentTypeID[code]}, "file", file)
	return c.with("Content-Type", kind).want(t, status, http.MethodPost, c.path("/enumeration/upload"), form)
}

// eachNation runs a test for every one of them.
func eachNation(t *testing.T, test func(t *testing.T, n nation)) {
	for _, n := range nations {
		t.Run(n.name, func(t *testing.T) {
			t.Parallel()
			test(t, n)
		})
	}
}

// fact is one event of an invoice's history.
type fact struct {
	Stream, Type string
	Stored       json.RawMessage
}

// history is that of an invoice, of its number too.
func history(t testing.TB, dir, id string) (out []fact) {
	t.Helper()
	for line := range strings.Lines(succeed(t, "history", "--data", dir, "--json", id)) {
		var f fact
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// sentAs is the submissions that an invoice was part of: its number and the bytes.
func sentAs(t testing.TB, code int, facts []fact, id string) (out []arrival) {
	t.Helper()
	for _, f := range facts {
		if f.Type != "SubmissionOpened" {
			continue
		}
		var e struct {
			First    int64
			Invoices []string
			SHA256   string `json:"sha256"`
		}
		if err := json.Unmarshal(f.Stored, &e); err != nil {
			t.Fatal(err)
		}
		out = append(out, arrival{code, e.First + int64(slices.Index(e.Invoices, id)), e.SHA256})
	}
	return out
}

// TestAHundredInvoicesOverThreeTypes takes them from twenty clients while answers are
// lost: consecutive numbers, none lost and none doubled.
func TestAHundredInvoicesOverThreeTypes(t *testing.T) {
	t.Parallel()
	eachNation(t, func(t *testing.T, n nation) { n.overThreeTypes(t, 100, verdictLimit) })
}

// overThreeTypes issues so many invoices and waits so long for their verdicts.
func (n nation) overThreeTypes(t *testing.T, count int, patience time.Duration, flags ...string) {
	dir := t.TempDir()
	p := serve(t, dir, slices.Concat(flags, []string{"--retry-base", "100ms"}, unlimited)...)
	c := n.company(t, p, dir)
	for _, code := range n.kinds {
		n.number(t, c, dir, code, 1, 100)
	}
	n.script(t, dir, n.troubles...)
	each(t, 20, count, func(i int) error {
		_, _, err := c.created(n.body(n.kinds[i%3], i))
		return err
	})
	c.settle(t, patience)
	all := c.all(t)
	if got := consecutive(t, all); len(all) != count || len(got) != 3 {
		t.Errorf("%d invoices in %v", len(all), got)
	}
	p.stop(t)
}
