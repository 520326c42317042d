package arca

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"folio/money"
)

var update = flag.Bool("update", false, "write the golden files")

// wsdlOrder is the sequence of FECAEDetRequest and of the types within it, as the WSDL
// of WSFEv1 declares them (Actividades: manual, since v2.17).
var wsdlOrder = map[string][]string{
	"FECAESolicitar": {"Auth", "FeCAEReq"},
	"Auth":           {"Token", "Sign", "Cuit"},
	"FeCAEReq":       {"FeCabReq", "FeDetReq"},
	"FeCabReq":       {"CantReg", "PtoVta", "CbteTipo"},
	"FeDetReq":       {"FECAEDetRequest"},
	"FECAEDetRequest": {"Concepto", "DocTipo", "DocNro", "CbteDesde", "CbteHasta", "CbteFch", "ImpTotal", "ImpTotConc",
		"ImpNeto",
		"ImpOpEx", "ImpTrib", "ImpIVA", "FchServDesde", "FchServHasta", "FchVtoPago", "MonId", "MonCotiz", "CanMisMonExt",
		"CondicionIVAReceptorId", "CbtesAsoc", "Tributos", "Iva", "Opcionales", "Compradores", "PeriodoAsoc", "Actividades"},
	"CbtesAsoc": {"CbteAsoc"}, "CbteAsoc": {"Tipo", "PtoVta", "Nro", "Cuit", "CbteFch"},
	"Tributos": {"Tributo"}, "Tributo": {"Id", "Desc", "BaseImp", "Alic", "Importe"},
	"Iva": {"AlicIva"}, "AlicIva": {"Id", "BaseImp", "Importe"},
	"Opcionales": {"Opcional"}, "Opcional": {"Id", "Valor"},
	"Compradores": {"Comprador"}, "Comprador": {"DocTipo", "DocNro", "Porcentaje"},
	"PeriodoAsoc": {"FchDesde", "FchHasta"},
	"Actividades": {"Actividad"}, "Actividad": {"Id"},
}

func TestRequestsHaveTheNamesAndOrderOfTheWSDL(t *testing.T) {
	for name, v := range map[string]Voucher{"full": fullVoucher(), "bare": bareVoucher()} {
		t.Run(name, func(t *testing.T) {
			content, err := Request{PtoVta: 12, CbteTipo: 3, Vouchers: []Voucher{v}}.XML()
			if err != nil {
				t.Fatal(err)
			}
			body, err := request{web: wsfe, op: "FECAESolicitar",
				args: content}.body(&auth{Token: "TOKEN", Sign: "SIGN", Cuit: 30500010912})
			if err != nil {
				t.Fatal(err)
			}
			checkOrder(t, body)
			golden(t, "testdata/FECAESolicitar."+name+".xml", body)
		})
	}
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	pretty := strings.ReplaceAll(string(got), "><", ">\n<") + "\n"
	if *update {
		if err := os.WriteFile(path, []byte(pretty), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if pretty != string(want) {
		t.Errorf("%s differs (-update writes it):\n%s", path, pretty)
	}
}

// checkOrder walks the request: every element is known to its parent, in its namespace,
// and none stands before one that the WSDL puts earlier.
func checkOrder(t *testing.T, body []byte) {
	t.Helper()
	checkOrderOf(t, body, wsdlOrder, namespaceWSFE)
}

func checkOrderOf(t *testing.T, body []byte, order map[string][]string, namespace string) {
	t.Helper()
	type level struct {
		name string
		at   int
	}
	var stack []level
	d := xml.NewDecoder(strings.NewReader(string(body)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if len(stack) > 0 && order[stack[len(stack)-1].name] != nil {
				parent := &stack[len(stack)-1]
				at := slices.Index(order[parent.name], e.Name.Local)
				if at < parent.at || e.Name.Space != namespace {
					t.Errorf("%s {%s} does not belong at this place of %s", e.Name.Local, e.Name.Space, parent.name)
				}
				parent.at = at
			}
			stack = append(stack, level{name: e.Name.Local})
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
}

func TestWhatIsOptionalIsAbsentAndNeverEmpty(t *testing.T) {
	content, err := Request{PtoVta: 1, CbteTipo: 6, Vouchers: []Voucher{bareVoucher()}}.XML()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"CbtesAsoc", "Tributos", "Iva", "Opcionales", "Compradores", "PeriodoAsoc",
		"Actividades", "FchServDesde", "FchVtoPago", "CanMisMonExt", "CondicionIVAReceptorId", "MonCotiz", "CbteFch"} {
		if strings.Contains(string(content), "<"+name) {
			t.Errorf("%s is there: %s", name, content)
		}
	}
	if empty := regexp.MustCompile(`<[A-Za-z]+></|/>`).FindString(string(content)); empty != "" {
		t.Errorf("an empty element %s in %s", empty, content)
	}
}

func TestAmountsArePlainDecimals(t *testing.T) {
	v := bareVoucher()
	v.ImpTotal = money.MustParse("9999999999999.99")
	v.ImpNeto = money.MustParse("0.10")
	content, err := Request{Vouchers: []Voucher{v}}.XML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<ImpTotal>9999999999999.99</ImpTotal>", "<ImpNeto>0.10</ImpNeto>",
		"<ImpIVA>0</ImpIVA>"} {
		if !strings.Contains(string(content), want) {
			t.Errorf("no %s in %s", want, content)
		}
	}
}

func fullVoucher() Voucher {
	rate, condition := money.MustParse("1450.5"), 1
	d := money.MustParse
	return Voucher{
		Concepto: 3, DocTipo: 80, DocNro: 20111111112, CbteDesde: 7, CbteHasta: 7, CbteFch: "20261215",
		ImpTotal: d("184.05"), ImpTotConc: d("0"), ImpNeto: d("150.00"), ImpOpEx: d("0"), ImpTrib: d("7.80"),
		ImpIVA:       d("26.25"),
		FchServDesde: "20261201", FchServHasta: "20261231", FchVtoPago: "20270110",
		MonId: "DOL", MonCotiz: &rate, CanMisMonExt: "N", CondicionIVAReceptorId: &condition,
		CbtesAsoc: []CbteAsoc{{Tipo: 1, PtoVta: 12, Nro: 5, Cuit: "30500010912", CbteFch: "20261201"},
			{Tipo: 1, PtoVta: 12, Nro: 6}},
		Tributos: []Tributo{{Id: 99, Desc: "Tasa <municipal> & otra", BaseImp: d("150"), Alic: d("5.2"),
			Importe: d("7.80")}},
		Iva:        []AlicIva{{Id: 5, BaseImp: d("100"), Importe: d("21")}, {Id: 4, BaseImp: d("50"), Importe: d("5.25")}},
		Opcionales: []Opcional{{Id: "23", Valor: "OC-17"}},
		Compradores: []Comprador{{DocTipo: 80, DocNro: 20111111112, Porcentaje: d("60")},
			{DocTipo: 80, DocNro: 27000000006, Porcentaje: d("40")}},
		PeriodoAsoc: &PeriodoAsoc{FchDesde: "20261101", FchHasta: "20261130"},
		Actividades: []Actividad{{Id: 620100}},
	}
}

func bareVoucher() Voucher {
	return Voucher{Concepto: 1, DocTipo: 99, CbteDesde: 1, CbteHasta: 1, MonId: "PES"}
}
