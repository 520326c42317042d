package submission_test

import (
	"context"
	"net/http"
	"time"

	"folio/authority"
	"folio/authority/dgi"
	"folio/country"
	"folio/country/countrytest"
	"folio/country/figures"
	"folio/country/uy"
	"folio/events"
	"folio/money"
	"folio/sandbox/desk"
	dgisandbox "folio/sandbox/dgi"
)

const rucIssuer = "217111220014"

func uruguay() *nation {
	n := &nation{rules: uy.Rules{}, holder: rucIssuer, as: dgisandbox.Holder, kinds: []string{"EFA", "EFA", "TIC"},
		document: uruguayan, faults: uruguayanFaults(), unsent: uy.ReportOnly,
		issuer: country.Issuer{TaxIdentifier: rucIssuer,
			Profile: events.IssuerProfile{LegalName: "Almacén Ñandú S.A.", TaxIdentifier: rucIssuer,
				Address: events.Address{Country: "UY", Region: "UY-MO", Address: "18 de Julio 1234"}},
			Fields: map[string]string{uy.FieldBranchCode: "1", uy.FieldCity: "Montevideo", uy.FieldDepartment: "Montevideo",
				uy.FieldResolution: "4055/2024"}},
		stored: "dgi-sandbox.db", query: `SELECT type, number, json_extract(body, '$.state') <> 'BE' FROM document`}
	var numbers *dgisandbox.Numbers
	n.open = func(dir string, now func() time.Time) (signedSandbox, error) {
		s, err := dgisandbox.Open(context.Background(), dgisandbox.Options{Dir: dir, CA: signedCA(), Now: now,
			Knobs: dgisandbox.Knobs{VerdictAfter: desk.Duration(n.slow), RepeatsS08: n.odd}})
		if err == nil {
			numbers = s.Numbers()
		}
		return s, err
	}
	n.file = func(code int) ([]byte, string, error) {
		file, err := numbers.IssueCAE(dgisandbox.CAE{TaxIdentifier: rucIssuer, Type: code, Series: "A", From: 1, To: 1000})
		return file, "A", err
	}
	n.driver = func(line *http.Client, v processVault, now func() time.Time) authority.Driver {
		return dgi.NewDriver(map[authority.Environment]*dgi.Client{authority.Testing: dgi.New(dgi.Options{
			Endpoints: dgi.EndpointsAt("testing", "http://authority"+dgisandbox.Prefix+dgisandbox.Testing), Now: now, HTTP: line,
			Vault: v})})
	}
	return n
}

// uruguayan is the n-th document, of a kind; every other e-Ticket is reported only.
func uruguayan(kind string, n int, issuer country.Issuer, now time.Time) (country.Checked, error) {
	d := events.Document{Type: kind, Date: now.Format(time.DateTime),
		Issuer: events.Party{LegalName: issuer.Profile.LegalName, DocumentType: "RUT", DocumentNumber: rucIssuer},
		Recipient: events.Party{LegalName: "Peñarol S.R.L.", DocumentType: "RUT", DocumentNumber: "214844360018",
			Address: events.Address{Country: "UY", Region: "UY-MO", Address: "Av. Italia 567"}},
		Currency: events.Currency{Code: "UYU", Rate: money.FromInt(1)},
		Items: []events.Item{{Quantity: money.FromInt(2), UnitOfMeasure: "u", UnitPrice: money.FromInt(int64(1000 + n)),
			Description: "Taladro",
			Taxes:       []events.ItemTax{{Type: "iva22"}}}},
		HeaderInfo: []byte(`{"recipient":{"city":"Montevideo"}}`)}
	switch {
	case kind == "TIC" && n%2 == 0:
		d.Recipient, d.HeaderInfo = events.Party{}, nil
	case kind == "TIC":
		d.Items[0].UnitPrice = money.FromInt(int64(100_000 + n))
	}
	var err error
	if d.Items, d.Totals, err = uy.Calculate(kind, false, d.Items, money.Zero); err != nil {
		return country.Checked{}, err
	}
	return checked(uy.Rules{}, d, issuer, now, countrytest.Figures("UY", figures.UnitValue, "2026-01-01", "6.3"))
}

func uruguayanFaults() (out faults) {
	const send, envelope, one = "EFACRECEPCIONSOBRE", "EFACCONSULTARESTADOENVIO", "EFACCONSULTARESTADOCFE"
	out.add(send, dgisandbox.Error, "1", "5", "6", "7", "8", "10", "11", "12", "13", "99", "100", "101", "102", "103",
		"105", "108", "109", "111", "201")
	out.add(send, dgisandbox.Cover, "S01", "S02", "S03", "S04", "S05", "S06", "S07", "S08", "S20")
	out.add(send, dgisandbox.Reject, "E01", "E02", "E03", "E04", "E05", "E07", "E09", "E14")
	out.add(send, dgisandbox.Stick, "")
	out.add(send, dgisandbox.Partial, "")
	out.add(send, dgisandbox.SOAPFault, "")
	for _, op := range []string{envelope, one} {
		out.add(op, dgisandbox.Error, "1", "2", "3", "4", "5", "6", "8", "11", "13", "99", "100", "103", "105", "108", "111")
		out.add(op, dgisandbox.SOAPFault, "")
	}
	return out
}
