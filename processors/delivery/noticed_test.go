package delivery_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"folio/country"
	"folio/country/cl"
	"folio/events"
)

// The facts that are notices themselves: what each of them tells, once, and only to who
// had asked for its code.
func TestNoticesTellWhatTheDocumentsPromise(t *testing.T) {
	inWorld(t, func(w *world) {
		w.record("company-C1", events.CompanyRegistered{Company: "C1", Country: "CL", TaxIdentifier: "76192083-9",
			TaxIdentifierName: "RUT"})
		w.record("company-C1", events.CertificateUploaded{Certificate: "CERT1", Environment: "Production",
			SerialNumber: "1f3a",
			Subject:      "CN=Ñandú", ValidTo: "2000-02-01T02:59:59Z"})
		w.record("numbering-C1-Production-33-0",
			events.NumberingRangeUploaded{Range: "RANGE1", Company: "C1", Environment: "Production",
				DocumentType: 55, OfficialCode: 33, From: 1, To: 100, ExpiresOn: "2000-06-30"})
		w.subscribe("C1", "CER", "ENU", "REC", "OUT")
		w.subscribe("C2", "ISE")
		w.live(func(c *settings) { c.Rules = country.Registry{cl.Rules{}}.ByCode })
		w.record("certificate-CERT1", events.CertificateExpiryNoticed{Company: "C1", Certificate: "CERT1", Days: 30})
		w.record("numbering-C1-Production-33-0",
			events.NumberingNoticed{Kind: "quantity", Notice: 1, Range: "RANGE1", Remaining: 20, OfficialCode: 33})
		w.record("numbering-C1-Production-33-0",
			events.NumberingNoticed{Kind: "expiry", Days: -1, Range: "RANGE1", Remaining: 20, OfficialCode: 33})
		for _, company := range []string{"C1", "C2"} { // C2 did not ask for it
			w.record("purchase-P"+company, events.PurchaseReceived{Purchase: "P" + company, Company: company, Country: "CL",
				OfficialCode: 33, Number: 1234,
				Date: "2000-01-01", Supplier: events.Party{DocumentNumber: "96790240-3"}, Currency: "CLP", Total: "121000",
				Verification: "signature_valid"})
		}
		for _, company := range []string{"C1", "C2"} {
			w.record("outage-"+company+"-Production-sii", events.AuthorityOutageOpened{Outage: "O" + company, Company: company,
				Environment: "Production", Authority: "sii", Cause: "calls", Calls: 3,
				Since: time.Date(1999, 12, 31, 23, 50, 0, 0, time.UTC)})
		}
		time.Sleep(minute)
		got := map[string]string{}
		for _, c := range w.got() {
			var told struct {
				Event string `json:"event"`
				Kind  string `json:"kind"`
			}
			if err := json.Unmarshal(c.body, &told); err != nil {
				t.Fatal(err)
			}
			got[told.Event+told.Kind] = string(c.body)
		}
		same(t, "calls", len(w.got()), 5)
		for key, want := range map[string]string{
			"CER": `{"document_id":"CERT1","event":"CER","subject":"CN=Ñandú","serial_number":"1f3a","environment":"Production",` +
				`"expiration_date":"31/01/2000 23:59:59","days_before":30,"attempt":1,"created_at":"2000-01-01T00:00:00.000Z"}`,
			"ENUquantity": `{"document_id":"RANGE1","event":"ENU","kind":"quantity","id_document_type":55,"notice":1,"days_before":null,"remaining":20,` +
				`"from":1,"to":100,"expiration_date":"30/06/2000 00:00:00","attempt":1,"created_at":"2000-01-01T00:00:00.000Z"}`,
			"ENUexpiry": `{"document_id":"RANGE1","event":"ENU","kind":"expiry","id_document_type":55,"notice":null,"days_before":-1,"remaining":20,` +
				`"from":1,"to":100,"expiration_date":"30/06/2000 00:00:00","attempt":1,"created_at":"2000-01-01T00:00:00.000Z"}`,
			"OUT": `{"document_id":"OC1","event":"OUT","state":"open","authority":"sii","environment":"Production","cause":"calls",` +
				`"reason":"","since":"1999-12-31T23:50:00.000Z","until":"","failing_calls":3,"attempt":1,"created_at":"2000-01-01T00:00:00.000Z"}`,
			"REC": `{"document_id":"PC1","event":"REC","supplier_document_number":"96790240-3","invoice_type":"33","series":null,"number":"0000-00001234",` +
				`"date":"2000-01-01","currency":"CLP","total":121000,"verification":"signature_valid","attempt":1,"created_at":"2000-01-01T00:00:00.000Z"}`,
		} {
			var a, b map[string]any
			if err := json.Unmarshal([]byte(got[key]), &a); err != nil {
				t.Fatalf("%s: %v in %q", key, err, got[key])
			}
			if err := json.Unmarshal([]byte(want), &b); err != nil {
				t.Fatal(err)
			}
			same(t, key, fmt.Sprint(a), fmt.Sprint(b))
		}
		w.p.stop()
		if err := forget(w); err != nil {
			t.Fatal(err)
		}
		w.live(func(c *settings) { c.Rules = country.Registry{cl.Rules{}}.ByCode })
		time.Sleep(minute)
		same(t, "calls after all was heard again", len(w.got()), 5)
	})
}
