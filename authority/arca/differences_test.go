package arca

import (
	"encoding/xml"
	"reflect"
	"slices"
	"strings"
	"testing"

	"folio/money"
)

func everyField() Voucher {
	rate, condition := money.FromInt(1), 5
	return Voucher{Concepto: 1, DocTipo: 80, DocNro: 30500010912, CbteDesde: 7, CbteHasta: 7, CbteFch: "20261215",
		ImpTotal: money.FromInt(121), ImpTotConc: money.FromInt(1), ImpNeto: money.FromInt(100), ImpOpEx: money.FromInt(2),
		ImpTrib: money.FromInt(3), ImpIVA: money.FromInt(21),
		FchServDesde: "20261201", FchServHasta: "20261231", FchVtoPago: "20270101", MonId: "DOL", MonCotiz: &rate,
		CanMisMonExt: "S", CondicionIVAReceptorId: &condition,
		CbtesAsoc:   []CbteAsoc{{1, 2, 3, "30500010912", "20261214"}, {1, 2, 4, "30500010912", "20261214"}},
		Tributos:    []Tributo{{99, "Percepción", money.FromInt(1), money.FromInt(2), money.FromInt(3)}},
		Iva:         []AlicIva{{5, money.FromInt(100), money.FromInt(21)}},
		Opcionales:  []Opcional{{"2101", "0070397820000000473657"}, {"27", "SCA"}},
		Compradores: []Comprador{{80, 30500010912, money.FromInt(100)}},
		PeriodoAsoc: &PeriodoAsoc{"20261101", "20261130"}, Actividades: []Actividad{{620100}}}
}

func everyExportField() ExportVoucher {
	return ExportVoucher{Id: 1, FechaCbte: "20261215", CbteTipo: 21, PuntoVta: 1, CbteNro: 7, TipoExpo: 1,
		PermisoExistente: "S",
		Permisos:         &[]Permiso{{"99999AAXX999999A", 225}}, DstCmp: 225, Cliente: "Peñarol S.A.",
		CuitPaisCliente: 55000002002, DomicilioCliente: "18 de Julio 1",
		IdImpositivo: "X1", MonedaId: "DOL", MonedaCtz: money.FromInt(1000), CanMisMonExt: "S", ObsComerciales: "obs",
		ImpTotal: money.FromInt(10),
		CmpsAsoc: &[]CmpAsoc{{19, 1, 3, "30500010912"}}, FormaPago: "contado", Incoterms: "FOB", IncotermsDs: "Buenos Aires",
		IdiomaCbte: 1,
		Items:      []ExportItem{{"A1", "Vino", money.FromInt(1), 7, money.FromInt(10), money.FromInt(1), money.FromInt(9)}},
		Opcionales: &[]Opcional{{"2101", "x"}}, FechaPago: "20270101", Actividades: &[]Actividad{{620100}}}
}

// otherwise changes a value, all the way down.
func otherwise(v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[money.Decimal]():
		v.Set(reflect.ValueOf(v.Interface().(money.Decimal).Add(money.FromInt(1))))
	case v.Kind() == reflect.Pointer:
		fresh := reflect.New(v.Type().Elem())
		fresh.Elem().Set(v.Elem())
		v.Set(fresh)
		otherwise(v.Elem())
	case v.Kind() == reflect.Slice:
		fresh := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(fresh, v)
		v.Set(fresh)
		otherwise(v.Index(v.Len() - 1))
	case v.Kind() == reflect.Struct:
		otherwise(v.Field(v.NumField() - 1))
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "x")
	default:
		v.SetInt(v.Int() + 1)
	}
}

// every changes one field after the other and wants each to be named.
func every[T any](t *testing.T, full func() T, differs func(T) []string, but ...string) {
	t.Helper()
	if d := differs(full()); len(d) > 0 {
		t.Errorf("the same one differs in %v", d)
	}
	for i := range reflect.TypeFor[T]().NumField() {
		name := reflect.TypeFor[T]().Field(i).Name
		if slices.Contains(but, name) {
			continue
		}
		for _, change := range []func(reflect.Value){otherwise, func(v reflect.Value) { v.SetZero() }} {
			other := full()
			change(reflect.ValueOf(&other).Elem().Field(i))
			d := differs(other)
			plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
			if len(d) == 0 || !strings.HasPrefix(plain(d[0]), plain(name)[:min(5, len(name))]) {
				t.Errorf("%s is another one, and the differences are %v", name, d)
			}
		}
	}
}

// Nothing of what was sent may be another thing at ARCA without being named: the note of
// another invoice, another condition of the recipient, other optionals.
func TestEveryFieldThatWasSentIsCompared(t *testing.T) {
	every(t, everyField, func(held Voucher) []string { return Registered{Voucher: held}.Differences(everyField()) })
	// The number asked for is part of the question.
	every(t, everyExportField, func(held ExportVoucher) []string {
		return RegisteredExport{ExportVoucher: held}.Differences(everyExportField())
	},
		"XMLName", "CbteTipo", "PuntoVta", "CbteNro")
}

func TestListsAreComparedInAnyOrder(t *testing.T) {
	held := everyField()
	slices.Reverse(held.CbtesAsoc)
	slices.Reverse(held.Opcionales)
	if d := (Registered{Voucher: held}).Differences(everyField()); len(d) > 0 {
		t.Errorf("differs in %v", d)
	}
	held.CbtesAsoc[0] = held.CbtesAsoc[1] // one twice in the place of two
	if d := (Registered{Voucher: held}).Differences(everyField()); !slices.Equal(d, []string{"CbtesAsoc"}) {
		t.Errorf("differs in %v", d)
	}
}

func TestWhatARCAHoldsIsReadWhole(t *testing.T) {
	content, err := Request{Vouchers: []Voucher{everyField()}}.XML()
	if err != nil {
		t.Fatal(err)
	}
	var in struct {
		Held registered `xml:"FeDetReq>FECAEDetRequest"`
	}
	if err := xml.Unmarshal(content, &in); err != nil {
		t.Fatal(err)
	}
	if d := in.Held.plain().Differences(everyField()); len(d) > 0 {
		t.Errorf("read back it differs in %v", d)
	}
	sent := everyExportField()
	if content, err = sent.XML(); err != nil {
		t.Fatal(err)
	}
	var held struct {
		XMLName xml.Name `xml:"Cmp"`
		RegisteredExport
	}
	if err := xml.Unmarshal(content, &held); err != nil {
		t.Fatal(err)
	}
	if d := held.Differences(sent); len(d) > 0 {
		t.Errorf("read back it differs in %v", d)
	}
}

func TestTextsAreAlikeButForDamage(t *testing.T) {
	for _, c := range []struct {
		held, sent string
		want       bool
	}{
		{"", "", true}, {"Acme", "Acme", true}, {" ACME  sa ", "Acme SA", true}, {"Acme", "Acme SA", false},
		{"", "Acme", false}, {"Acme", "", false},
		{"PEÃ‘AROL", "Peñarol", true}, {"Pe?arol", "Peñarol", true}, {"Penarol", "Peñarol", true},
		{"Pearol", "Peñarol", true},
		{"Peseguro arol", "Peñarol", false}, {"Peñarola", "Peñarol", false}, {"xPeñarol", "Peñarol", false},
		{"?andu", "Ñandu", true}, {"Nandu sa", "Ñandu", false},
		{"a la a", "á la á", true}, {"Bogot", "Bogotá", true}, {"Bogotazo largo", "Bogotá", false},
	} {
		if alike(c.held, c.sent) != c.want {
			t.Errorf("%q for %q: %v, want %v", c.held, c.sent, !c.want, c.want)
		}
	}
}
