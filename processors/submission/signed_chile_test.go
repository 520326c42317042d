package submission_test

import (
	"context"
	"net/http"
	"time"

	"folio/authority"
	"folio/authority/sii"
	"folio/country"
	"folio/country/cl"
	"folio/events"
	"folio/money"
	"folio/sandbox/desk"
	siisandbox "folio/sandbox/sii"
)

const rutIssuer = "77111222-6"

func chile() *nation {
	n := &nation{rules: cl.Rules{}, holder: "12345678-5", as: siisandbox.Holder, kinds: []string{"FAC", "BOL", "GUI"},
		document: chilean, faults: chileanFaults(),
		issuer: country.Issuer{TaxIdentifier: rutIssuer,
			Profile: events.IssuerProfile{LegalName: "Almacén Ñandú SpA", TaxIdentifier: rutIssuer,
				Address: events.Address{Country: "CL", Region: "CL-RM", Address: "Av. O'Higgins 1234", Phone: "1"}},
			Fields: map[string]string{cl.FieldGiro: "Ferretería", cl.FieldActeco: "475201", cl.FieldComuna: "Santiago",
				cl.FieldCity:             "Santiago",
				cl.FieldResolutionNumber: "80", cl.FieldResolutionDate: "2014-08-22", cl.FieldSIIOffice: "Santiago Centro"}},
		stored: "sii-sandbox.db", query: `SELECT type, folio, json_extract(body, '$.outcome') <> 'rejected' FROM document`}
	var folios *siisandbox.Folios
	n.open = func(dir string, now func() time.Time) (signedSandbox, error) {
		var err error
		if folios, err = siisandbox.OpenFolios(dir, now); err != nil {
			return nil, err
		}
		return siisandbox.Open(context.Background(), siisandbox.Options{Dir: dir, CA: signedCA(), Folios: folios, Now: now,
			Knobs: siisandbox.Knobs{VerdictAfter: desk.Duration(n.slow), Repeats99: n.odd}})
	}
	n.file = func(code int) ([]byte, string, error) {
		file, err := folios.IssueCAF(siisandbox.CAF{TaxIdentifier: rutIssuer, Name: "Almacén", Type: code, From: 1, To: 1000})
		return file, "", err
	}
	n.driver = func(line *http.Client, v processVault, now func() time.Time) authority.Driver {
		return sii.NewDriver(map[authority.Environment]*sii.Client{authority.Testing: sii.New(sii.Options{
			Endpoints: sii.EndpointsAt("testing", "http://authority"+siisandbox.Prefix+siisandbox.Testing), Now: now, HTTP: line,
			Vault: v})})
	}
	return n
}

// chilean is the n-th document, of a kind.
func chilean(kind string, n int, issuer country.Issuer, now time.Time) (country.Checked, error) {
	d := events.Document{Type: kind, Date: now.Format(time.DateTime),
		Issuer: events.Party{LegalName: "Almacén", DocumentType: "RUT", DocumentNumber: rutIssuer},
		Recipient: events.Party{LegalName: "Peñalolén Ltda", DocumentType: "RUT", DocumentNumber: "76192083-9",
			Address: events.Address{Country: "CL", Region: "CL-RM", Address: "Los Leones 567"}},
		Currency: events.Currency{Code: "CLP", Rate: money.FromInt(1)},
		Items: []events.Item{{Quantity: money.FromInt(2), UnitOfMeasure: "u", UnitPrice: money.FromInt(int64(10_000 + n)),
			Description: "Taladro",
			Taxes:       []events.ItemTax{{Type: "iva19"}}}},
		HeaderInfo: []byte(`{"recipient":{"giro":"Servicios","comuna":"Providencia"}}`)}
	switch kind {
	case "BOL":
		d.Recipient, d.HeaderInfo = events.Party{}, nil
	case "GUI":
		d.HeaderInfo = []byte(`{"transfer_type":5,"transport":{"plates_unknown":true,"driver_rut":"12.345.678-5","driver_name":"Juan Pérez","carrier_rut":"76.192.083-9","address":"Ruta 5","comuna":"San Bernardo","departure_at":"2026-11-27 14:30:00"},"recipient":{"giro":"Servicios","comuna":"Providencia"}}`)
	}
	var err error
	if d.Items, d.Totals, err = cl.Calculate(d.Type, "CLP", d.Items, money.Zero); err != nil {
		return country.Checked{}, err
	}
	return checked(cl.Rules{}, d, issuer, now, country.Config{})
}

// chileanFaults are all but those of an authority that contradicts itself about the same
// bytes (STATUS 2, 7 and 8 of what it took before). An envelope that is refused as a whole
// with its answer lost goes out anew.
func chileanFaults() (out faults) {
	for _, op := range []string{"DTEUpload", "boleta.electronica.envio"} {
		out.add(op, siisandbox.Error, "1", "3", "5", "6", "9", "99", "-1", "10")
		out.add(op, siisandbox.Reject, "HED-3-340")
		out.add(op, siisandbox.Remark, "HED-2-340")
		out.add(op, siisandbox.Stick, "")
		out.add(op, siisandbox.Cover, "RCT")
	}
	for _, op := range []string{"getEstUp", "getEstDte", "getEstDteAv", "boleta.electronica.envio.estado",
		"boleta.electronica.estado"} {
		out.add(op, siisandbox.Error, "001", "002", "003", "106", "107", "-1", "-11", "REC", "CRT", "VOF", "RPT", "RCO",
			"FAU", "EMP")
	}
	out.add("getSeed", siisandbox.Error, "-1", "-2")
	out.add("getToken", siisandbox.Error, "08", "11", "12", "21", "-3")
	return out
}
