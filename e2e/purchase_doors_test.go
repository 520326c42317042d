package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"software.sslmate.com/src/go-pkcs12"

	"folio/country/xmlsig"
)

// deal is a document that a seller issued to a company, and every spelling in which the
// buyer may send it: its fields, the text of its code, its XML.
type deal struct {
	buyer        company
	spellings    []string // of the request
	verification string   // after all of them
	total        string   // whole
}

// shows says that a record of it is right.
func (d deal) shows(p purchase) bool {
	whole, cents, _ := strings.Cut(p.Total.String(), ".") // with the decimals of what came first
	return p.Verification == d.verification && whole == d.total && strings.Trim(cents, "0") == ""
}

// TestADocumentIsOnePurchaseThroughEveryDoor sends one document in all its spellings at
// once, and again to a service that was killed: it is stored once, and told once.
func TestADocumentIsOnePurchaseThroughEveryDoor(t *testing.T) {
	t.Parallel()
	for name, sell := range map[string]func(t *testing.T, p *process, dir string) deal{"Argentina": argentineDeal,
		"Chile": chileanDeal, "Uruguay": uruguayanDeal} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			serving := func() *process {
				return serve(t, dir, append([]string{"--retry-base", "100ms", "--verify-purchases", "never", allowLoopback},
					unlimited...)...)
			}
			p := serving()
			d := sell(t, p, dir)
			told := receive(t)
			hook := d.buyer.subscribe(t, told.URL, "REC")
			id := d.send(t, "", http.StatusCreated)
			p.kill()
			p = serving()
			d.buyer.base = p.base
			if again := d.send(t, id, http.StatusOK); again != id {
				t.Errorf("%s became %s", id, again)
			}
			told.await(t, 1, 30*time.Second)
			// It may have been told just before the kill, which came before that was recorded: then it is told again.
			eventually(t, verdictLimit, "one delivery is recorded, of "+id, func() (string, bool) {
				all := get[deliveries](t, d.buyer.client, d.buyer.path(fmt.Sprintf("/webhooks/%d/deliveries", hook.ID)))
				return fmt.Sprintf("%+v", all), all.TotalResults == 1 && all.Data[0].DocumentID == id
			})
			if listed := get[struct {
				Data []purchase
			}](t, d.buyer.client, d.buyer.path("/purchases")); len(listed.Data) != 1 || listed.Data[0].ID != id ||
				!d.shows(listed.Data[0]) {
				t.Errorf("the list has %+v", listed.Data)
			}
			p.stop(t)
		})
	}
}

// send sends all spellings at once and wants one of them to be answered by status, the
// others as known, and all with the same id.
func (d deal) send(t *testing.T, id string, first int) string {
	t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	status := map[int]int{}
	for _, spelling := range d.spellings {
		all.Go(func() {
			a, err := d.buyer.send(http.MethodPost, d.buyer.path("/purchases"), []byte(spelling))
			got, unread := parse[purchase](a)
			mu.Lock()
			defer mu.Unlock()
			if id == "" {
				id = got.ID
			}
			if err != nil || unread != nil || got.ID != id || a.status != http.StatusOK && a.status != first {
				t.Errorf("%d %v %.300s\nto %.300s", a.status, err, a.body, spelling)
			}
			status[a.status]++
		})
	}
	all.Wait()
	if first != http.StatusOK && status[first] != 1 {
		t.Errorf("%d were the first: %v", status[first], status)
	}
	if read := get[purchase](t, d.buyer.client, d.buyer.path("/purchases/"+id)); !d.shows(read) {
		t.Errorf("it reads back as %+v", read)
	}
	return id
}

// typed are spellings of a document's fields: of its amount, its kind, and the identifier
// of who issued it.
func typed(fields string, total string, kinds, suppliers []string, name string) (out []string) {
	for _, amount := range []string{total, total + ".0", total + ".00", total + "e0", total + "00e-2"} {
		for i, kind := range kinds {
			supplier := suppliers[(len(out)+i)%len(suppliers)]
			out = append(out, fmt.Sprintf(" {\n\"total\": %s, \"invoice_type\" : %s, %s, \"supplier\":{\"document_number\":%s,\"legal_name\":%q}}", amount, kind, fields, supplier, name))
		}
	}
	return out
}

func spelled(member, text string) string {
	encoded, err := json.Marshal(map[string]string{member: text})
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

func argentineDeal(t *testing.T, p *process, dir string) deal {
	seller, buyer := issuing(t, p, dir, 1), issuing(t, p, dir, 2)
	b := body("FCA", 1, "sold")
	b["recipient"].(map[string]any)["document_number"] = buyer.cuit
	i := seller.issue(t, b)
	u, err := url.Parse(i.Authorization.QR)
	if err != nil {
		t.Fatal(err)
	}
	code := u.Query().Get("p")
	fields := fmt.Sprintf(`"branch_office":1,"number":%d,"date":%q,"currency":"pes","authorization_code":%s`,
		number(t, i), today, i.Authorization.Code)
	dashed := seller.cuit[:2] + "-" + seller.cuit[2:10] + "-" + seller.cuit[10:]
	return deal{buyer, append(typed(fields, "242", []string{`"FCA"`, `"1"`, `1`},
		[]string{seller.cuit, `"` + seller.cuit + `"`, `"` + dashed + `"`}, "Librería del Sur S.R.L."),
		spelled("qr", i.Authorization.QR), spelled("qr", " "+i.Authorization.QR+" "), spelled("qr", code),
		spelled("qr", strings.TrimRight(code, "=")),
		spelled("qr", "https://www.afip.gob.ar/fe/qr/?p="+url.QueryEscape(code))), "consistent", "242"}
}

var xmlHead = regexp.MustCompile(`^\s*<\?xml[^>]*\?>\s*`)

// documents are spellings of signed XML: as it is, without its declaration, and in the
// envelope that begins so.
func documents(file []byte, open, end string) []string {
	document := xmlsig.Text(file)
	bare := xmlHead.ReplaceAllString(document, "")
	return []string{spelled("xml", document), spelled("xml", bare), spelled("xml", "\ufeff"+bare+"\n"),
		spelled("xml", open+bare+end), spelled("xml", "<!-- c -->"+open+"\r\n"+bare+"\n"+end)}
}

func chileanDeal(t *testing.T, p *process, dir string) deal {
	seller := chilean(t, p, dir)
	seller.enumerate(t, http.StatusCreated, 33, caf(t, dir, rutIssuer, 33, 1, 10))
	buyer := registered(t, login(t, p.base, email, password), "76192083-9", "CL", map[string]any{"legal_name": "Constructora Ñandú Ltda.",
		"tax_identifier": "76.192.083-9", "tax_identifier_name": "RUT", "start_activities_date": "2015-03-01",
		"id_currency": 2})
	i := seller.issue(t, pesos("FAC", "sold"))
	fields := fmt.Sprintf(`"number":%d,"date":%q,"currency":"clp","recipient_document":"76.192.083-9"`, number(t, i),
		todayInChile)
	return deal{buyer, append(typed(fields, "23800", []string{`"FAC"`, `33`}, []string{`"77111222-6"`, `"77.111.222-6"`, `"077111222-6"`}, "Ferretería Ñuble & Cía SpA"),
		documents(seller.xml(t, i.ID).body, `<EnvioDTE xmlns="http://www.sii.cl/SiiDte" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="1.0"><SetDTE ID="s">`, `</SetDTE></EnvioDTE>`)...), "signature_valid", "23800"}
}

func uruguayanDeal(t *testing.T, p *process, dir string) deal {
	seller := uruguayan(t, p, dir)
	file := certificate(t, dir, "uy", rucIssuer, certificateDays)
	seller.certifyWith(t, file)
	_, leaf, _, err := pkcs12.DecodeChain(file, certificatePassword)
	if err != nil {
		t.Fatal(err)
	}
	cover := `<Caratula version="1.0"><X509Certificate>` + base64.StdEncoding.EncodeToString(leaf.Raw) + `</X509Certificate></Caratula>`
	seller.enumerate(t, http.StatusCreated, 111, cae(t, dir, rucIssuer, 111, "A", 1, 10))
	buyer := registered(t, login(t, p.base, email, password), rucBuyer, "UY", map[string]any{"legal_name": "Cooperativa Ñandubay",
		"tax_identifier": rucBuyer, "tax_identifier_name": "RUT", "start_activities_date": "2015-03-01", "id_currency": 3})
	i := seller.issue(t, uruguayos("EFA", "sold", 2))
	fields := fmt.Sprintf(`"series":"A","number":1,"date":%q,"currency":"uyu","recipient_document":%q`, todayInUruguay,
		rucBuyer)
	return deal{buyer, append(append(typed(fields, "244", []string{`"EFA"`, `111`}, []string{`"` + rucIssuer + `"`, `"21 711122 0014"`, rucIssuer}, "Almacén Ñandubay S.A."),
		documents(seller.xml(t, i.ID).body, `<EnvioCFE_entreEmpresas xmlns="http://cfe.dgi.gub.uy" version="1.0">`+cover+`<CFE_Adenda>`, `</CFE_Adenda></EnvioCFE_entreEmpresas>`)[3:]...),
		spelled("qr", i.Authorization.QR), spelled("qr", strings.Replace(i.Authorization.QR, "?"+rucIssuer, "?21%20711122%200014", 1))), "signature_valid", "244"}
}
