package dgi

import (
	"cmp"
	"crypto"
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"folio/country"
	"folio/country/countrytest"
	"folio/country/figures"
	"folio/country/uy"
	"folio/events"
	"folio/money"
)

var issuer = country.Issuer{TaxIdentifier: company,
	Profile: events.IssuerProfile{LegalName: "Almacén Ñandú & Cía S.A.", TaxIdentifier: company,
		Address: events.Address{Country: "UY", Region: "UY-MO", Address: "Avda. 18 de Julio 1234, of. 56",
			Phone: "+598 2 345 6789"}},
	Fields: map[string]string{uy.FieldBranchCode: "1", uy.FieldCity: "Montevideo", uy.FieldDepartment: "Montevideo",
		uy.FieldResolution: "4055/2024"}}

// written is a document of a kind with lines made by chance.
func written(t *testing.T, k country.DocumentType, r *rand.Rand) country.Checked {
	t.Helper()
	dec := money.MustParse
	d := events.Document{Type: k.InvoiceType, Date: "2026-11-27 10:00:00",
		Currency: events.Currency{Code: "UYU", Rate: dec("1")}, Observations: "Gracias",
		Issuer: events.Party{LegalName: "Almacén Ñandú", DocumentType: "RUT", DocumentNumber: company},
		Recipient: events.Party{LegalName: "Dirección & Cía", DocumentType: "RUT", DocumentNumber: buyer,
			Address: events.Address{Country: "UY", Region: "UY-CA", Address: "Ruta 8 km 20"}},
		HeaderInfo: []byte(`{"recipient":{"city":"Pando"}}`)}
	taxes, gross := []string{"iva22", "iva10", "exempt"}, r.IntN(2) == 0
	if gross = gross && k.Code != 181; gross {
		d.HeaderInfo = []byte(`{"gross_prices":true,"recipient":{"city":"Pando"}}`)
	}
	if r.IntN(3) == 0 {
		d.Currency = events.Currency{Code: "USD", Rate: dec("39.25")}
	}
	if uy.IsExport(k.Code) || k.Code == 124 {
		taxes, gross = []string{"exempt"}, false
		d.Currency = events.Currency{Code: "USD", Rate: dec("40.125")}
		d.Recipient = events.Party{LegalName: "Acme Inc.", DocumentType: "NIFE", DocumentNumber: "US-123",
			Address: events.Address{Country: "US", Address: "1 Main St"}}
		d.HeaderInfo, d.ExportInfo = []byte(`{"recipient":{"city":"Springfield","department":"Oregon"}}`),
			[]byte(`{"sale_clause":"FOB","sale_mode":1,"transport_route":1}`)
	}
	if k.Code == 181 || k.Code == 124 {
		d.HeaderInfo = []byte(strings.Replace(string(d.HeaderInfo), "{", `{"transfer_type":1,`, 1))
	}
	for range 1 + r.IntN(6) {
		i := events.Item{Quantity: dec(fmt.Sprintf("%d.%03d", 1+r.IntN(9), r.IntN(1000))), UnitOfMeasure: "u",
			UnitPrice: dec(fmt.Sprintf("%d.%02d", r.IntN(900), 1+r.IntN(99))), Description: "Artículo <1>",
			Taxes: []events.ItemTax{{Type: taxes[r.IntN(len(taxes))]}}}
		if k.Code == 181 {
			i.UnitPrice, i.Taxes = money.Zero, nil
		} else if r.IntN(3) == 0 && k.Code != 124 {
			i.Discount = dec("0.5" + strconv.Itoa(r.IntN(10)))
		}
		d.Items = append(d.Items, i)
	}
	if k.Class == country.CreditNote || k.Class == country.DebitNote {
		first, _ := uy.Rules{}.DocumentType(strconv.Itoa(k.Code/10*10 + 1))
		d.BillingReference = []events.Reference{{Type: first.InvoiceType, Series: "A", Number: 60, Date: "2026-11-20"}}
	}
	whole := money.Zero
	if r.IntN(3) == 0 && k.Code != 181 && k.Code != 124 {
		whole = dec("0.4" + strconv.Itoa(r.IntN(10)))
	}
	var err error
	if d.Items, d.Totals, err = uy.Calculate(d.Type, gross, d.Items, whole); err != nil {
		t.Fatal(err)
	}
	checked, wrong := uy.Rules{}.Check(d, issuer, noon, countrytest.Figures("UY", figures.UnitValue, "2026-01-01", "6"))
	if len(wrong) > 0 {
		t.Fatalf("%s: %v", k.InvoiceType, wrong)
	}
	return checked
}

// Whatever this program writes for Uruguay, DGI's order, limits and totals take.
func TestDocumentsOfEveryKindThatFolioWritesAreAccepted(t *testing.T) {
	for _, k := range (uy.Rules{}).DocumentTypes() {
		t.Run(k.InvoiceType, func(t *testing.T) {
			h := newHouse(t)
			file, err := h.server.Numbers().IssueCAE(CAE{TaxIdentifier: company, Type: k.Code, From: 1, To: 100})
			if err != nil {
				t.Fatal(err)
			}
			cae, err := uy.ReadCAE(file)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, uint64(k.Code)))
			var all []string
			for n := int64(1); n <= 20; n++ {
				c := written(t, k, r)
				text, err := uy.CFE(country.Issued{Document: c.Document, Taxes: c.Taxes, Profile: issuer.Profile, Number: n}, cae,
					noon)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, h.sign(t, string(text), "CFE", crypto.SHA256))
			}
			a := h.ask("WS_eFactura", recepcionSobre, h.envelope(1, all...))
			if said(a, "//Estado") != "AS" {
				t.Fatal(said(a, "//Motivo"), said(a, "//MotivosRechazo/Detalle"))
			}
			for i, v := range h.verdicts(said(a, "//IDReceptor"), said(a, "//Token")) {
				if v != "AE" {
					t.Fatalf("%s: %s\n%s", v, h.server.Calls()[1].Documents[i].Verdict, all[i])
				}
			}
		})
	}
}

// A document of each special regime is taken under its own CAE and refused under another.
func TestDocumentsOfSpecialCAEs(t *testing.T) {
	for special, regime := range []string{"", "exempt", "iva_minimo", "monotributo", "monotributo_mides"} {
		t.Run(cmp.Or(regime, "general"), func(t *testing.T) {
			h := newHouse(t)
			cause := 0
			if special == 1 {
				cause = 11
			}
			file, err := h.server.Numbers().IssueCAE(CAE{TaxIdentifier: company, Type: 111, From: 1, To: 100, Special: special,
				Cause: cause})
			if err != nil {
				t.Fatal(err)
			}
			cae, err := uy.ReadCAE(file)
			if err != nil || cae.Special != special || cae.Cause != cause {
				t.Fatal(cae, err)
			}
			who := issuer
			who.Fields = maps.Clone(issuer.Fields)
			who.Fields[uy.FieldRegime], who.Fields[uy.FieldIVAAlDia] = regime, "false"
			d := invoiced(false)
			tax := map[int]string{0: "iva22", 1: "exempt"}[special]
			d.Items = []events.Item{{Quantity: money.FromInt(2), UnitPrice: money.MustParse("45.55"), Description: "Pan",
				UnitOfMeasure: "u", Taxes: []events.ItemTax{{Type: cmp.Or(tax, "iva_minimo")}}}}
			if d.Items, d.Totals, err = uy.Calculate("EFA", false, d.Items, money.MustParse("1.10")); err != nil {
				t.Fatal(err)
			}
			c, wrong := uy.Rules{}.Check(d, who, noon, country.Config{})
			if len(wrong) > 0 {
				t.Fatal(wrong)
			}
			text, err := uy.CFE(country.Issued{Document: c.Document, Taxes: c.Taxes, Profile: issuer.Profile, Number: 1}, cae,
				noon)
			if err != nil {
				t.Fatal(err)
			}
			verdict := func(id int, text string) string {
				a := h.ask("WS_eFactura", recepcionSobre, h.envelope(id, h.sign(t, text, "CFE", crypto.SHA256)))
				return strings.Join(h.verdicts(said(a, "//IDReceptor"), said(a, "//Token")), " ")
			}
			other := strings.Replace(string(text), "</FecVenc>", "</FecVenc><CAEEspecial>2</CAEEspecial>", 1)
			if special > 0 {
				other = strings.Replace(string(text), fmt.Sprintf("<CAEEspecial>%d<", special),
					fmt.Sprintf("<CAEEspecial>%d<", special%4+1), 1)
			}
			if got := verdict(2, other); got != "BE E11" {
				t.Errorf("with another CAEEspecial: %s", got)
			}
			other = strings.NewReplacer("<MntBruto>3</MntBruto>", "", "<FmaPago>",
				"<MntBruto>3</MntBruto><FmaPago>").Replace(string(text))
			if special >= 2 {
				other = strings.Replace(string(text), "<MntBruto>3</MntBruto>", "", 1)
			}
			if got := verdict(3, strings.Replace(other, "<Nro>1<", "<Nro>3<", 1)); got != "BE E05" {
				t.Errorf("with MntBruto turned round: %s", got)
			}
			if got := verdict(4, strings.Replace(string(text), "<Nro>1<", "<Nro>4<", 1)); got != "AE" {
				t.Errorf("as it is written: %s %s", got, text)
			}
		})
	}
}
