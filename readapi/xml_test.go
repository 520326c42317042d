package readapi_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"folio/events"
)

// The envelopes hold two documents each: neither may be mistaken for the other.
const (
	dte    = "<DTE version=\"1.0\"><Documento><Folio>7</Folio><RznSoc>Compa\xf1\xeda</RznSoc><Folio>8</Folio></Documento></DTE>"
	cfe    = `<CFE version="1.0"><eFact><Nro>7</Nro><RznSoc>Compañía</RznSoc><Nro>8</Nro></eFact></CFE>`
	dtes   = `<?xml version="1.0" encoding="ISO-8859-1"?><EnvioDTE xmlns:xsi="i"><DTE version="1.0"><Folio>77</Folio></DTE>` + dte + `</EnvioDTE>`
	cfes   = `<EnvioCFE><CFE version="1.0"><Nro>6</Nro></CFE>` + cfe + `<CFE version="1.0"><Nro>70</Nro></CFE></EnvioCFE>`
	latin1 = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n"
	utf8   = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
)

func sum(content string) string {
	s := sha256.Sum256([]byte(content))
	return hex.EncodeToString(s[:])
}

// signed is an invoice of C1 in a country, up to the start of its submission.
func signed(id, country, kind string, code int, sent string) []given {
	first := created("C1", id, func(d *events.Document) { d.Type, d.OfficialCode, d.BranchOffice = kind, code, 0 })
	e := first.Event.(events.InvoiceCreated)
	e.Country = country
	first.Event = e
	return []given{first,
		{Stream: "numbering-C1-Testing-" + id, Event: events.SubmissionOpened{Submission: "S-" + id, First: 7,
			Invoices: []string{id}, SHA256: sum(sent)}},
		{Stream: "invoice-" + id, Event: events.SubmissionStarted{Submission: "S-" + id, Environment: "Testing", Number: 7}},
		{Stream: "invoice-" + id, Event: events.NumberAssigned{Number: 7}},
	}
}

func TestTheSignedXMLOfAnInvoice(t *testing.T) {
	all := append(signed("CL", "CL", "FAC", 33, dtes), signed("UY", "UY", "EFA", 111, cfes)...)
	all = append(all, signed("R", "UY", "EFA", 111, cfes)...)
	all = append(all, given{Stream: "invoice-R",
		Event: events.AuthorityRejected{Submission: "S-R", Reasons: []events.AuthorityMessage{{Code: "E05"}}}})
	w := newWorld(t, all...)
	w.files[sum(dtes)], w.files[sum(cfes)] = []byte(dtes), []byte(cfes)
	for _, c := range []struct{ name, id, content, kind, file string }{
		{"a DTE in process is in ISO-8859-1", "CL", latin1 + dte, "application/xml; charset=ISO-8859-1", "FAC-7.xml"},
		{"a CFE is the one with its number", "UY", utf8 + cfe, "application/xml; charset=UTF-8", "EFA-7.xml"},
		{"a rejected document was signed all the same", "R", utf8 + cfe, "application/xml; charset=UTF-8", "EFA-7.xml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := "/api/invoices/" + c.id + "/download-xml"
			got := w.get(path, key1).want(200)
			h := got.Header()
			if got.Body.String() != c.content || h.Get("Content-Type") != c.kind ||
				h.Get("Content-Disposition") != `attachment; filename="`+c.file+`"` {
				t.Errorf("%v %q", h, got.Body)
			}
			for _, known := range []string{h.Get("ETag"), `"other", W/` + h.Get("ETag"), "*"} {
				if again := w.get(path, key1, "If-None-Match: "+known); again.Code != 304 || again.Body.Len() != 0 {
					t.Errorf("asked again by who knows %s: %d", known, again.Code)
				}
			}
			if whole := w.get(path, key1, "Range: bytes=99999-",
				`If-None-Match: "other"`).want(200); whole.Body.String() != c.content {
				t.Errorf("asked for a part that is not there: %q", whole.Body)
			}
			if h.Get("ETag") != `"`+sum(c.content)+`"` {
				t.Errorf("ETag %s", h.Get("ETag"))
			}
			if head := w.call("HEAD", path, key1).want(200); head.Header().Get("ETag") != h.Get("ETag") {
				t.Errorf("HEAD: %v", head.Header())
			}
			w.get(path, key2).fails(404, "INVOICE_NOT_FOUND")
			w.get(path).fails(401, "API_KEY_REQUIRED")
			w.call("POST", path, key1).fails(405, "METHOD_NOT_ALLOWED")
		})
	}
}

func TestInvoicesWithoutASignedXML(t *testing.T) {
	all := append(signed("P", "CL", "FAC", 33, dtes)[:1], signed("L", "CL", "FAC", 33, dtes)...)
	w := newWorld(t, append(append(all, created("C1", "A", nil)), accepted("A", 42)...)...)
	get := func(id string) answer { return w.get("/api/invoices/"+id+"/download-xml", key1) }
	get("P").fails(409, "INVOICE_NOT_SIGNED")
	get("A").fails(404, "NO_SIGNED_XML")
	get("none").fails(404, "INVOICE_NOT_FOUND")
	w.late = true // the invoice shows a submission that its own read model does not yet
	if late := get("L"); late.Header().Get("Retry-After") != "1" {
		t.Errorf("Retry-After is %q", late.Header().Get("Retry-After"))
	} else {
		late.fails(503, "POSITION_NOT_REACHED")
	}
	w.late = false
	w.files[sum(dtes)] = []byte(dtes[:40]) // a vault that lost the document
	get("L").fails(500, "INTERNAL_ERROR")
}
