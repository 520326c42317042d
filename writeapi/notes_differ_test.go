package writeapi_test

import (
	"fmt"
	"strings"
	"testing"

	"folio/commands"
	"folio/commands/invoice"
	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/uy"
)

// dollars is the currency of a document at 1000 pesos.
const dollars = `{"code":"USD","exchange_rate":1000}`

func TestPesoNotesForDifferencesOfExchange(t *testing.T) {
	for _, on := range []bool{false, true} {
		w := newWorldWith(t, ar.Rules{}, country.Config{ExchangeDifferenceNotes: on})
		s := w.company()
		foreign := w.issued(s, 1, worth(t, 200, "currency", dollars))
		pesos := w.issued(s, 2, worth(t, 200))
		other := w.call("POST", "/api/invoices", correcting(t, "NCA", 100, byID(pesos), "currency", dollars), s.key)
		other.fails(422, "VALIDATION_FAILED", "currency.code NOTE_OTHER_CURRENCY") // never the other way round
		for _, kind := range []string{"NDA", "NCA"} {
			answer := w.call("POST", "/api/invoices", correcting(t, kind, 900, byID(foreign)), s.key)
			if !on {
				answer.fails(422, "VALIDATION_FAILED", "currency.code NOTE_OTHER_CURRENCY")
				continue
			}
			answer.want(201)
		}
		if o := w.loaded(foreign); len(o.Notes) != 0 || o.Left("").String() != "242" {
			t.Errorf("pesos were counted in a total of dollars: %s left, notes %+v", o.Left(""), o.Notes)
		}
	}
}

func TestInUruguayPesoNotesNeverCorrectDollars(t *testing.T) {
	w := newWorldWith(t, uy.Rules{}, country.Config{ExchangeDifferenceNotes: true})
	s := w.owned("210001300008")
	id := w.issuedAs(s, "A", 1, plain("TIC", nobody, "USD", ""))
	w.call("POST", "/api/invoices", plain("NCT", nobody, "UYU", byID(id)), s.key).fails(422, "VALIDATION_FAILED",
		"currency.code NOTE_OTHER_CURRENCY")
}

// A reference to a document of our own in another currency has its rate, however it is named.
func TestAReferenceHasTheRateOfWhatItNames(t *testing.T) {
	w := newWorldOf(t, uy.Rules{})
	s := w.owned("210001300008")
	foreign := w.issuedAs(s, "A", 1, plain("TIC", nobody, "USD", ""))
	pesos := w.issuedAs(s, "A", 2, plain("TIC", nobody, "UYU", ""))
	for _, c := range []struct{ name, currency, references, want string }{
		{"by id", "USD", byID(foreign), "10"},
		{"by coordinates", "USD", `{"type":"TIC","series":"A","number":1,"date":"2026-11-27"}`, "10"},
		{"by id with its currency", "USD", `{"invoice_id":"` + foreign + `","currency":{"code":"USD","exchange_rate":10}}`,
			"10"},
		{"by coordinates with its currency", "USD",
			`{"type":"TIC","series":"A","number":1,"currency":{"code":"usd","exchange_rate":10}}`, "10"},
		{"another system's", "USD", `{"type":"TIC","series":"A","number":9,"currency":{"code":"USD","exchange_rate":39.5}}`,
			"39.5"},
		{"another system's in pesos", "UYU", `{"type":"TIC","series":"A","number":9}`, ""},
		{"in pesos", "UYU", byID(pesos), ""},
	} {
		// A debit note takes nothing, so all of them find their document whole.
		answer := w.call("POST", "/api/invoices",
			strings.Replace(plain("NDT", nobody, c.currency, c.references), `"exchange_rate":10`, `"exchange_rate":11`, 1),
			s.key)
		got := ""
		if r := w.loaded(answer.want(201).text("id")).Created.Document.BillingReference[0]; r.Rate != nil {
			got = r.Rate.String()
		}
		if got != c.want {
			t.Errorf("%s: the rate is %q, want %q", c.name, got, c.want)
		}
	}
	read := w.call("GET", "/api/invoices?external_reference=", "", s.key).want(200).Body.String()
	if !strings.Contains(read, `"currency":{"code":"USD","exchange_rate":39.5}`) {
		t.Errorf("the currency of a reference is not read back: %s", read)
	}
	for _, c := range []struct{ name, currency, references, want string }{
		{"another system's without a rate", "USD", `{"type":"TIC","series":"A","number":9}`,
			"billing_reference[0].currency UY-REFERENCE-09"},
		{"without its rate alone", "USD", `{"type":"TIC","series":"A","number":9,"currency":{"code":"USD"}}`,
			"billing_reference[0].currency UY-REFERENCE-09"},
		{"several without amounts", "UYU", byID(pesos) + `,{"type":"TIC","series":"A","number":9}`,
			"billing_reference[1].amount UY-REFERENCE-09"},
		{"at another rate than ours", "USD", `{"type":"TIC","series":"A","number":1,"currency":{"code":"USD","exchange_rate":11}}`, "billing_reference[0].currency REFERENCE_DIFFERS"},
		{"likewise by id", "USD", `{"invoice_id":"` + foreign + `","currency":{"code":"USD","exchange_rate":11}}`,
			"billing_reference[0] REFERENCE_DIFFERS"},
		{"of no authority's", "USD", `{"type":"TIC","series":"A","number":9,"currency":{"exchange_rate":1}}`,
			"billing_reference[0].currency.code REQUIRED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := w.call("POST", "/api/invoices", plain("NDT", nobody, c.currency, c.references), s.key)
			answer.t = t
			answer.fails(422, "VALIDATION_FAILED", c.want)
		})
	}
}

// A debit note may add more than all of a document; DGI is told no more than that.
func TestADebitNoteKnowsTheTotalItIsMoreThan(t *testing.T) {
	w := newWorldOf(t, uy.Rules{})
	s := w.owned("210001300008")
	id := w.issuedAs(s, "A", 1, plain("TIC", nobody, "UYU", ""))
	more := strings.NewReplacer(`"quantity":1`, `"quantity":2`, `"amount":220`, `"amount":440`, `"base_amount":1000`,
		`"base_amount":2000`,
		`"sub_total":1000`, `"sub_total":2000`, `"total":1220`, `"total":2440`).Replace(plain("NDT", nobody, "UYU", byID(id)))
	for body, want := range map[string]string{more: "1220", plain("NDT", nobody, "UYU", byID(id)): "<nil>"} {
		got := "<nil>"
		if total := w.loaded(w.call("POST", "/api/invoices", body,
			s.key).want(201).text("id")).Created.Document.BillingReference[0].Total; total != nil {
			got = total.String()
		}
		if got != want {
			t.Errorf("the reference has the total %s, want %s", got, want)
		}
	}
}

// In Uruguay a period stands for documents that cannot be named, with the reason (CFE25 F-C2).
func TestInUruguayAPeriodDoesNotStandForOurDocuments(t *testing.T) {
	w := newWorldOf(t, uy.Rules{})
	s := w.owned("210001300008")
	ana := `"document_type":"CI","document_number":"1.335.321-4"`
	w.issuedAs(s, "A", 1, plain("TIC", nobody, "UYU", ""))
	w.issuedAs(s, "A", 2, plain("TIC", ana, "UYU", ""))
	// not accepted
	w.call("POST", "/api/invoices", plain("TIC", `"document_type":"CI","document_number":"4.444.444-4"`, "UYU", ""), s.key)
	november, october := `{"period_from":"2026-11-01","period_to":"2026-11-30"}`,
		`{"period_from":"2026-10-01","period_to":"2026-10-31"}`
	why := func(body string) string {
		return strings.TrimSuffix(body, "}") + `,"additional_header_info":{"period_reason":"Liquidación Res. 545/2025"}}`
	}
	for _, c := range []struct {
		name, body string
		refused    string
	}{
		{"of nobody's e-Tickets", plain("NCT", nobody, "UYU", november), "such as A-1"},
		{"of Ana's", plain("NDT", ana, "UYU", november), "such as A-2"},
		{"of a month with none", plain("NCT", nobody, "UYU", october), ""},
		{"with the reason", why(plain("NCT", nobody, "UYU", november)), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := w.call("POST", "/api/invoices", c.body, s.key)
			answer.t = t
			if c.refused == "" {
				answer.want(201)
				return
			}
			answer.fails(422, "VALIDATION_FAILED", "billing_reference[0].period_from REFERENCE_PERIOD")
			if text := answer.Body.String(); !strings.Contains(text, c.refused) || !strings.Contains(text, "period_reason") {
				t.Error(text)
			}
		})
	}
}

func TestOfManyDocumentsInAPeriodSomeAreTold(t *testing.T) {
	w := newWorldOf(t, uy.Rules{})
	s := w.owned("210001300008")
	for n := range int64(41) {
		w.issuedAs(s, "A", n+1, plain("TIC", nobody, "UYU", ""))
	}
	answer := w.call("POST", "/api/invoices",
		plain("NCT", nobody, "UYU", `{"period_from":"2026-11-27","period_to":"2026-11-27"}`), s.key)
	answer.fails(422, "VALIDATION_FAILED", "billing_reference[0].period_from REFERENCE_PERIOD")
	if !strings.Contains(answer.Body.String(), "more than 40 TIC") {
		t.Error(answer.Body.String())
	}
}

// SII and ARCA are told no currency of what a note names.
func TestElsewhereAReferenceHasNoCurrency(t *testing.T) {
	currency := `"currency":{"code":"USD","exchange_rate":10}`
	w := newWorldOf(t, ar.Rules{})
	s := w.company()
	w.call("POST", "/api/invoices", correcting(t, "NCA", 100,
		`{"type":"FCA","branch_office":1,"number":99,"date":"2026-11-26",`+currency+`}`), s.key).
		fails(422, "VALIDATION_FAILED", "billing_reference[0].currency AR-REFERENCE-11")
	w = newWorldOf(t, cl.Rules{})
	s = w.owned("77111222-6")
	w.call("POST", "/api/invoices", plain("NCE", chilean+`,"document_number":"76192083-9"`, "CLP",
		`{"type":"FAC","number":9,"date":"2026-11-26","reason_code":"3",`+currency+`}`), s.key).
		fails(422, "VALIDATION_FAILED", "billing_reference[0].currency CL-REFERENCE-08")
}

// In Chile a note has a RUT: that of nobody for what was sold to 99.
func TestInChileANoteOnABoletaToNobody(t *testing.T) {
	w := newWorldOf(t, cl.Rules{})
	s := w.owned("77111222-6")
	id := w.issuedAs(s, "", 1, plain("BOL", `"document_type":"99","document_number":"0"`, "CLP", ""))
	w.call("POST", "/api/invoices", plain("NCE", chilean+`,"document_number":"66666666-6"`, "CLP",
		`{"invoice_id":"`+id+`","reason_code":"3"}`), s.key).want(201)
}

// Recipients of a document.
const (
	nobody  = ``
	chilean = `"legal_name":"Comprador","document_type":"RUT","address":{"country":"CL","address":"Calle 2"}`
)

func TestAnUnidentifiedConsumerStaysOne(t *testing.T) {
	as := func(kind, number string) string {
		return `"document_type":"` + kind + `","document_number":"` + number + `"`
	}
	for _, c := range []struct {
		rules                                country.Rules
		company, sale, note, named, currency string
		nobodies                             []string // spellings of a consumer who is not identified
	}{
		{ar.Rules{}, cuit, "FCB", "NCB", `"legal_name":"Ana",` + as("DNI", "30123456"), "ARS",
			[]string{nobody, as("99", "0"), as("99", "00")}},
		{cl.Rules{}, "77111222-6", "BOL", "NCE", chilean + `,"document_number":"76192083-9"`, "CLP", []string{
			chilean + `,"document_number":"66666666-6"`, chilean + `,"document_number":"66.666.666-6"`}},
		{uy.Rules{}, "210001300008", "TIC", "NCT", as("CI", "1.335.321-4"), "UYU", []string{nobody, as("99", "0")}},
	} {
		t.Run(c.rules.Code(), func(t *testing.T) {
			w := newWorldOf(t, c.rules)
			s := w.owned(c.company)
			first := int64(1)
			for _, sold := range c.nobodies {
				id := w.issuedAs(s, "A", first, plain(c.sale, sold, c.currency, ""))
				reference := `{"invoice_id":"` + id + `"` + reasonOf(c.rules, "3") + `}`
				first++
				w.call("POST", "/api/invoices", plain(c.note, c.named, c.currency, reference), s.key).
					fails(422, "VALIDATION_FAILED", "recipient.document_number NOTE_OTHER_RECIPIENT")
				back := w.call("POST", "/api/invoices",
					plain(c.note, c.nobodies[int(first)%len(c.nobodies)], c.currency, reference), s.key)
				if back.Code != 201 {
					t.Errorf("%s: %d %s", sold, back.Code, back.Body)
				}
			}
			id := w.issuedAs(s, "A", first, plain(c.sale, c.named, c.currency, ""))
			w.call("POST", "/api/invoices", plain(c.note, c.nobodies[0], c.currency,
				`{"invoice_id":"`+id+`"`+reasonOf(c.rules, "3")+`}`), s.key).
				fails(422, "VALIDATION_FAILED", "recipient.document_number NOTE_OTHER_RECIPIENT")
		})
	}
}

// SII's note that corrects a text may correct whose the document is; it takes nothing.
func TestInChileACorrectionOfTextMayCorrectTheRecipient(t *testing.T) {
	w := newWorldOf(t, cl.Rules{})
	s := w.owned("77111222-6")
	right, wrong := chilean+`,"document_number":"76192083-9"`, chilean+`,"document_number":"11111111-1"`
	id := w.issuedAs(s, "", 1, plain("FAC", wrong, "CLP", ""))
	for _, reason := range []string{"1", "3"} {
		w.call("POST", "/api/invoices", plain("NCE", right, "CLP", `{"invoice_id":"`+id+`","reason_code":"`+reason+`"}`),
			s.key).
			fails(422, "VALIDATION_FAILED", "recipient.document_number NOTE_OTHER_RECIPIENT")
	}
	text := strings.NewReplacer(`"unit_price":1000`, `"unit_price":0`, `"amount":190`, `"amount":0`, `"base_amount":1000`,
		`"base_amount":0`,
		`"sub_total":1000`, `"sub_total":0`, `"total":1190`,
		`"total":0`).Replace(plain("NCE", right, "CLP", `{"invoice_id":"`+id+`","reason_code":"2"}`))
	w.call("POST", "/api/invoices", text, s.key).want(201)
	if left := w.loaded(id).Left("").String(); left != "1190" {
		t.Errorf("%s is left, a correction of text takes nothing of 1190", left)
	}
}

// owned is a company with that identifier, and its key.
func (w *world) owned(identifier string) shop { return w.ownedBy(identifier, ana) }

func (w *world) ownedBy(identifier, person string) shop {
	w.t.Helper()
	id := w.call("POST", "/api/companies", `{"legal_name":"Molinos","tax_identifier":"`+identifier+
		`","tax_identifier_name":"`+w.countries[0].IdentifierName()+
		`","start_activities_date":"1999-03-01","id_currency":1}`, person).want(201).text("id_company")
	return shop{id, "x-api-key: " + w.call("POST", "/api/companies/apikey", `{"id_company":"`+id+`","description":"x"}`,
		person).want(201).text("api_key")}
}

// issuedAs accepts an invoice under a number, in Uruguay of a series.
func (w *world) issuedAs(s shop, letter string, number int64, body string) string {
	w.t.Helper()
	id := w.call("POST", "/api/invoices", body, s.key).want(201).text("id")
	w.lettered(id, letter, number)
	w.settle(id, number)
	return id
}

// lettered gives a document its number, in Uruguay with the letter of a series.
func (w *world) lettered(id, letter string, number int64) {
	w.t.Helper()
	if w.countries[0].Code() == "UY" {
		_, err := commands.Bind(w.x, invoice.Decider).Execute(w.t.Context(), id,
			invoice.StartSubmission{Submission: "S-" + id, Environment: "Testing",
				Number: number, Letter: letter, Final: true},
			commands.Request{ID: commands.Derived("start", id), Actor: "test", At: w.now()})
		check(w.t, err)
	}
}

func (w *world) loaded(id string) invoice.Full {
	w.t.Helper()
	s, _, err := commands.Bind(w.x, invoice.FullDecider).Load(w.t.Context(), id)
	check(w.t, err)
	return s
}

// reasonOf is the member of a reference, where the country has one.
func reasonOf(rules country.Rules, code string) string {
	if rules.Code() == "CL" {
		return `,"reason_code":"` + code + `"`
	}
	return ""
}

// plain is a document of one line of 1000, without IVA in it but in Chile's boletas.
func plain(kind, recipient, currency, references string) string {
	tax, rate, net, iva := "iva21", 21, 1000, 210
	switch {
	case currency == "CLP":
		tax, rate, iva = "iva19", 19, 190
	case currency == "UYU" || strings.HasSuffix(kind, "T") || kind == "TIC":
		tax, rate, iva = "iva22", 22, 220
	}
	price, total, exchange := net, net+iva, 1
	if kind == "BOL" {
		price = total
	}
	if currency == "USD" {
		exchange = 10
	}
	header := ""
	if currency == "ARS" {
		header = `,"concept":"1"`
	}
	if currency == "CLP" && kind != "BOL" {
		header = `,"additional_header_info":{"recipient":{"giro":"Comercio","comuna":"Arica"}}`
	}
	if references != "" {
		header += `,"billing_reference":[` + references + `]`
	}
	return fmt.Sprintf(`{"invoice_type":"%s","branch_office":1,"invoice_date":"2026-11-27 10:15:00","recipient":{%s},"currency":{"code":"%s","exchange_rate":%d},
"items":[{"quantity":1,"code_unit_of_measure":"u","unit_price":%d,"description":"x","taxes":[{"type":"%s","amount":%d,"rate":%d}]}],
"totals":{"sub_total":%[5]d,"discount":0,"taxes":[{"type":"%[6]s","amount":%[7]d,"base_amount":%[9]d}],"total":%[10]d}%[11]s}`,
		kind, recipient, currency, exchange, price, tax, iva, rate, net, total, header)
}
