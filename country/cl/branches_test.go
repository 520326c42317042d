package cl_test

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"folio/country"
	"folio/country/cl"
	"folio/country/countrytest"
	"folio/events"
)

var branch = events.Branch{Address: events.Address{Country: "CL", Region: "CL-VS", Address: "Errázuriz 700"},
	Fields: map[string]string{cl.FieldComuna: "Valparaíso", cl.FieldBranch: "Puerto"}}

// A branch and an origin are what is signed, printed and read back alike.
func TestWhereADocumentComesFrom(t *testing.T) {
	depot := events.Address{Country: "CL", Region: "CL-RM", Address: "Camino Lo Boza 120"}
	for _, c := range []struct {
		name, kind string
		branch     int
		address    events.Address
		header     string
		emisor     []string
		printed    []string
	}{
		{"branch", "FAC", 17, events.Address{}, recipient,
			[]string{"<Sucursal>Puerto<", "<CdgSIISucur>17<", "<DirOrigen>Errázuriz 700<", "<CmnaOrigen>Valparaíso<"},
			[]string{"Casa matriz: Av. Libertador Bernardo O'Higgins 1234, of. 56, Santiago",
				"Sucursal: Puerto, Errázuriz 700, Valparaíso"}},
		{"origin", "GUI", 0, depot, recipient + carried + `,"transfer_type":5,"origin":{"comuna":"Quilicura"}`,
			[]string{"<DirOrigen>Camino Lo Boza 120<", "<CmnaOrigen>Quilicura<"},
			[]string{"Casa matriz: Av. Libertador Bernardo O'Higgins 1234, of. 56, Santiago",
				"Origen: Camino Lo Boza 120, Quilicura"}},
		{"origin in the header", "GUI", 0, events.Address{},
			recipient + carried + `,"transfer_type":5,"origin":{"address":"Camino Lo Boza 120","city":"Santiago"}`,
			[]string{"<DirOrigen>Camino Lo Boza 120<", "<CmnaOrigen>Santiago<", "<CiudadOrigen>Santiago<"},
			[]string{"Origen: Camino Lo Boza 120, Santiago"}},
		{"origin of a branch's goods", "GUI", 17, events.Address{Region: "CL-VS", Address: "Placilla 88"},
			recipient + carried + `,"transfer_type":5,"origin":{"city":"Placilla"}`,
			[]string{"<Sucursal>Puerto<", "<CdgSIISucur>17<", "<DirOrigen>Placilla 88<", "<CmnaOrigen>Valparaíso<",
				"<CiudadOrigen>Placilla<"},
			[]string{"Casa matriz: Av. Libertador Bernardo O'Higgins 1234, of. 56, Santiago",
				"Sucursal: Puerto, Errázuriz 700, Valparaíso", "Origen: Placilla 88, Valparaíso, Placilla"}},
	} {
		issuer, known := company, cl.Rules{}.Branches()
		if c.branch != 0 {
			issuer = company.At(c.branch, branch, known)
		}
		d := document(c.kind)
		d.Branch, d.Issuer.Address, d.HeaderInfo = c.branch, c.address, []byte("{"+c.header+"}")
		checked, vs := cl.Rules{}.Check(d, issuer, now, country.Config{})
		if len(vs) > 0 {
			t.Fatalf("%s: %v", c.name, vs)
		}
		i := issued(checked, 12)
		i.Profile = issuer.Frozen(checked.Document, known)
		if i.Profile.Address != checked.Document.Issuer.Address {
			t.Errorf("%s: signed %+v, read back %+v", c.name, i.Profile.Address, checked.Document.Issuer.Address)
		}
		out, err := xml.MarshalIndent(cl.NewDTE(i.Document, i.Taxes, i.Profile, i.Number), "", " ")
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.emisor {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: no %s in\n%s", c.name, want, out)
			}
		}
		form := cl.Rules{}.Form(i)
		for _, want := range c.printed {
			if !slices.ContainsFunc(form.IssuerLines, func(l country.Label) bool { return l.Caption+": "+l.Value == want }) {
				t.Errorf("%s: no %q in %v", c.name, want, form.IssuerLines)
			}
		}
		if c.name == "branch" {
			countrytest.Golden(t, "branch.dte.xml", append(out, '\n'))
			countrytest.GoldenForm(t, "branch", form)
		}
	}
}

func TestOnlyWhatMovesGoodsHasAnOriginOfItsOwn(t *testing.T) {
	for _, c := range []struct {
		name, kind, header string
		address            events.Address
		want               []string
	}{
		{"a factura", "FAC", recipient, events.Address{Address: "Otra 1"}, []string{"issuer.address.address CL-ISSUER-04"}},
		{"a factura that moves goods", "FAC", recipient + carried + `,"dispatch_type":2`, events.Address{Address: "Otra 1"},
			nil},
		{"a boleta", "BOL", recipient, events.Address{Address: "Otra 1"}, []string{"issuer.address.address CL-ISSUER-04"}},
		{"a factura with an origin", "FAC", recipient + `,"origin":{"comuna":"Arica"}`, events.Address{},
			[]string{"additional_header_info.origin CL-ISSUER-05"}},
		{"two origins", "GUI", recipient + carried + `,"transfer_type":5,"origin":{"address":"Una 1"}`,
			events.Address{Address: "Otra 1"}, []string{"additional_header_info.origin.address CL-ISSUER-05"}},
		{"a place that nobody sees", "GUI", recipient + carried + `,"transfer_type":5`, events.Address{Address: " \u200b"},
			[]string{"issuer.address.address CL-ISSUER-05"}},
		{"an origin that nobody sees", "GUI", recipient + carried + `,"transfer_type":5,"origin":{"address":" "}`,
			events.Address{}, []string{"additional_header_info.origin.address CL-ISSUER-05"}},
		{"another region without a comuna", "GUI", recipient + carried + `,"transfer_type":5`,
			events.Address{Region: "CL-VS", Address: "Otra 1"}, []string{"additional_header_info.origin.comuna CL-ISSUER-06"}},
	} {
		d := document(c.kind)
		d.Issuer.Address, d.HeaderInfo = c.address, []byte("{"+c.header+"}")
		_, vs := check(d)
		var got []string
		for _, v := range vs {
			got = append(got, v.Path+" "+v.Code)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", c.name, vs)
		}
	}
}
