package arca

import (
	"strings"
	"testing"

	"folio/money"
)

// fexOrder is the sequence of ClsFEXRequest and of the types within it, as the WSDL of
// WSFEXv1 declares them.
var fexOrder = map[string][]string{
	"FEXAuthorize": {"Auth", "Cmp"},
	"Auth":         {"Token", "Sign", "Cuit", "Pto_venta", "Cbte_Tipo"},
	"Cmp": {"Id", "Fecha_cbte", "Cbte_Tipo", "Punto_vta", "Cbte_nro", "Tipo_expo", "Permiso_existente", "Permisos",
		"Dst_cmp", "Cliente",
		"Cuit_pais_cliente", "Domicilio_cliente", "Id_impositivo", "Moneda_Id", "Moneda_ctz", "CanMisMonExt",
		"Obs_comerciales", "Imp_total", "Obs",
		"Cmps_asoc", "Forma_pago", "Incoterms", "Incoterms_Ds", "Idioma_cbte", "Items", "Opcionales", "Fecha_pago",
		"Actividades"},
	"Permisos": {"Permiso"}, "Permiso": {"Id_permiso", "Dst_merc"},
	"Cmps_asoc": {"Cmp_asoc"}, "Cmp_asoc": {"Cbte_tipo", "Cbte_punto_vta", "Cbte_nro", "Cbte_cuit"},
	"Items": {"Item"}, "Item": {"Pro_codigo", "Pro_ds", "Pro_qty", "Pro_umed", "Pro_precio_uni", "Pro_bonificacion",
		"Pro_total_item"},
	"Opcionales": {"Opcional"}, "Opcional": {"Id", "Valor"},
	"Actividades": {"Actividad"}, "Actividad": {"Id"},
	"FEXGetLast_CMP": {"Auth"},
}

func TestExportsHaveTheNamesAndOrderOfTheWSDL(t *testing.T) {
	d := money.MustParse
	full := ExportVoucher{
		Id: 123456789012345, FechaCbte: "20261215", CbteTipo: 19, PuntoVta: 12, CbteNro: 7, TipoExpo: 1,
		PermisoExistente: "S",
		Permisos:         filled([]Permiso{{"09052EC01006154G", 203}}), DstCmp: 203, Cliente: "João & Filhos <Ltda>",
		CuitPaisCliente:  55000000050,
		DomicilioCliente: "Rua 76", IdImpositivo: "PJ54482221-1", MonedaId: "DOL", MonedaCtz: d("1450.5"), CanMisMonExt: "N",
		ObsComerciales: "Dos líneas\ny otra",
		ImpTotal:       d("225.00"), CmpsAsoc: filled([]CmpAsoc{{91, 1, 6, "30500010912"}}), FormaPago: "30 dias",
		Incoterms: "FOB", IncotermsDs: "Bs. As.", IdiomaCbte: 3,
		Items: []ExportItem{{"PRO1", "Producto", d("2"), 7, d("150"), d("50"), d("250.00")},
			{ProDs: "Bonificación general", ProUmed: 99, ProTotalItem: d("-25.00")}},
		Opcionales: filled([]Opcional{{"2401", "12345678901"}}), FechaPago: "20270115",
		Actividades: filled([]Actividad{{620100}}),
	}
	bare := ExportVoucher{Id: 1, CbteTipo: 21, PuntoVta: 1, CbteNro: 1, TipoExpo: 2, DstCmp: 225, Cliente: "x",
		DomicilioCliente: "y", MonedaId: "PES", IdiomaCbte: 1,
		Items: []ExportItem{{ProDs: "Servicio", ProQty: d("1"), ProUmed: 7}}}
	for name, v := range map[string]ExportVoucher{"full": full, "bare": bare} {
		content, err := v.XML()
		if err != nil {
			t.Fatal(err)
		}
		body, err := request{web: wsfex, op: "FEXAuthorize",
			args: content}.body(&auth{Token: "TOKEN", Sign: "SIGN", Cuit: 30500010912})
		if err != nil {
			t.Fatal(err)
		}
		checkOrderOf(t, body, fexOrder, namespaceWSFEX)
		golden(t, "testdata/FEXAuthorize."+name+".xml", body)
		for _, absent := range []string{"<Permisos", "<Cmps_asoc", "<Opcionales", "<Actividades", "<CanMisMonExt",
			"<Fecha_pago", "<Incoterms"} {
			if name == "bare" && strings.Contains(string(body), absent) {
				t.Errorf("%s is there: %s", absent, body)
			}
		}
	}
}

func TestTheLastExportIsAskedForInsideAuth(t *testing.T) {
	in, err := args(field("Pto_venta", 12), field("Cbte_Tipo", 19))
	if err != nil {
		t.Fatal(err)
	}
	body, err := request{web: wsfex, op: "FEXGetLast_CMP", args: in,
		insideAuth: true}.body(&auth{Token: "TOKEN", Sign: "SIGN", Cuit: 30500010912})
	if err != nil {
		t.Fatal(err)
	}
	checkOrderOf(t, body, fexOrder, namespaceWSFEX)
	golden(t, "testdata/FEXGetLast_CMP.xml", body)
}

func TestWhatExportsAnswer(t *testing.T) {
	for text, want := range map[string]Message{
		"16: Zona Franca": {16, "16: Zona Franca"}, "21": {21, "21"}, "observado": {0, "observado"},
	} {
		if got := motives(text); len(got) != 1 || got[0] != want {
			t.Errorf("%q is %v", text, got)
		}
	}
	if motives(" ") != nil {
		t.Error("nothing is something")
	}
	if a, b := exportID("01JDPW3K7B0000000000000000"), exportID("01JDPW3K7B0000000000000001"); a == b || a < 0 ||
		a > 999_999_999_999_999 {
		t.Errorf("%d %d", a, b)
	}
}
