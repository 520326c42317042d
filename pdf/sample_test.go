package pdf

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"time"

	"folio/country"
)

const sampleQR = "https://www.arca.gob.ar/fe/qr/?p=eyJ2ZXIiOjEsImZlY2hhIjoiMjAyNi0xMS0xMCIsImN1aXQiOjMwNzE2NTI0OTU5LCJwdG9WdGEiOjEsInRpcG9DbXAiOjEsIm5yb0NtcCI6MTI4LCJpbXBvcnRlIjoxNDg2MDAuMDAsIm1vbmVkYSI6IlBFUyIsImN0eiI6MSwidGlwb0RvY1JlYyI6ODAsIm5yb0RvY1JlYyI6MzA3MTI5MzYxODYsInRpcG9Db2RBdXQiOiJFIiwiY29kQXV0Ijo3NjQ1MTIzNDU2NzgxMn0="

var products = []string{
	"Yerba mate orgánica «Ñandú» x 1 kg", "Servicio de mantenimiento mensual – edificio Av. Corrientes 1234",
	"Caño estructural 40 × 40 mm, e = 1,6 mm", "Alfajores de maicena (caja de 12 unidades)",
	"Cartucho de tóner negro 85A compatible", "Flete Rosario–Córdoba, hasta 500 kg",
	"Vino Malbec reserva 2023, Valle de Uco", "Hora de consultoría senior",
}

// formA is a class A invoice with n items and a table of taxes.
func formA(n int) country.Form {
	f := country.Form{
		ID: "01JCR4W3T9N2X5Z8A7B6C5D4E3", Name: "FCA-0001-00000128", Title: "Factura A 0001-00000128",
		Created: time.Date(2026, 11, 10, 15, 4, 5, 0, time.UTC), Copy: "ORIGINAL",
		Letter: "A", LetterCode: "COD. 01",
		IssuerName: "Distribuidora Ñandubay S.R.L.",
		IssuerLines: []country.Label{
			{Caption: "Domicilio comercial", Value: "Av. Hipólito Yrigoyen 4567, piso 3 of. B, C1208ABD Ciudad Autónoma de " +
				"Buenos Aires"},
			{Caption: "Teléfono", Value: "+54 11 4832-5566"},
			{Caption: "Condición frente al IVA", Value: "IVA RESPONSABLE INSCRIPTO"},
		},
		Heading: "FACTURA",
		HeadLines: []country.Label{
			{Caption: "N.º", Value: "0001-00000128", Strong: true},
			{Caption: "Fecha de emisión", Value: "10/11/2026", Strong: true},
			{Caption: "CUIT", Value: "30-71652495-9"},
			{Caption: "Ingresos Brutos", Value: "901-123456-7"},
			{Caption: "Inicio de actividades", Value: "01/03/2018"},
		},
		Period: []country.Label{
			{Caption: "Período facturado desde", Value: "01/10/2026"}, {Caption: "hasta", Value: "31/10/2026"},
			{Caption: "Vencimiento para el pago", Value: "25/11/2026"},
		},
		RecipientLines: []country.Label{
			{Caption: "Apellido y nombre / Razón social", Value: "Panadería Güemes e Hijos S.A.", Strong: true},
			{Caption: "CUIT", Value: "30-71293618-6"},
			{Caption: "Condición frente al IVA", Value: "IVA Responsable Inscripto"},
			{Caption: "Condición de venta", Value: "Cuenta corriente"},
			{Caption: "Domicilio", Value: "Bv. Oroño 1250, S2000DSV Rosario, Santa Fe"},
		},
		Columns: []country.Column{
			{Title: "Código", Width: 14}, {Title: "Producto / Servicio", Width: 58}, {Title: "Cantidad", Width: 14, Right: true},
			{Title: "U. medida", Width: 15}, {Title: "Precio unit.", Width: 20, Right: true},
			{Title: "Bonif.", Width: 16, Right: true},
			{Title: "Subtotal", Width: 22, Right: true}, {Title: "IVA", Width: 11, Right: true},
		},
		Breakdown: &country.Table{
			Columns: []country.Column{{Title: "Alícuota", Width: 24}, {Title: "Neto gravado", Width: 26, Right: true},
				{Title: "Importe IVA", Width: 26, Right: true}},
			Rows: [][]string{{"IVA 21 %", "1.234.567,89", "259.259,26"}, {"IVA 10,5 %", "98.765,43", "10.370,37"}},
		},
		Totals: []country.Label{
			{Caption: "Importe neto gravado", Value: "$ 1.333.333,32"}, {Caption: "Importe no gravado", Value: "$ 0,00"},
			{Caption: "Importe exento", Value: "$ 0,00"}, {Caption: "IVA 21 %", Value: "$ 259.259,26"},
			{Caption: "IVA 10,5 %", Value: "$ 10.370,37"}, {Caption: "Percepción IIBB Santa Fe", Value: "$ 40.000,00"},
			{Caption: "Importe total", Value: "$ 1.642.962,95", Strong: true},
		},
		QR: sampleQR,
		Authorization: []country.Label{
			{Caption: "CAE N.º", Value: "76451234567812", Strong: true},
			{Caption: "Fecha de vto. de CAE", Value: "20/11/2026", Strong: true},
		},
		Authority: "Comprobante autorizado",
	}
	for i := range n {
		f.Rows = append(f.Rows, []string{
			fmt.Sprintf("SKU-%04d", i+1), products[i%len(products)], fmt.Sprintf("%d,00", i%7+1), "unidades",
			fmt.Sprintf("%d.%03d,50", i%90+1, i*37%1000), "0,00", fmt.Sprintf("%d.%03d,50", i%900+1, i*53%1000), "21 %",
		})
	}
	return f
}

// formB is a class B invoice with n items to a final consumer.
func formB(n int) country.Form {
	f := formA(n)
	f.Title, f.Name, f.Letter, f.LetterCode = "Factura B 0002-00000045", "FCB-0002-00000045", "B", "COD. 06"
	f.HeadLines[0].Value = "0002-00000045"
	f.Period = nil
	f.RecipientLines = []country.Label{
		{Caption: "Apellido y nombre", Value: "A CONSUMIDOR FINAL", Strong: true},
		{Caption: "Condición frente al IVA", Value: "Consumidor Final"}, {Caption: "Condición de venta", Value: "Contado"},
	}
	f.Columns = f.Columns[:7]
	for i, row := range f.Rows {
		f.Rows[i] = row[:7]
	}
	f.Breakdown = nil
	f.Notes = []string{"Retira por depósito de lunes a viernes de 9 a 17 h. Presentar este comprobante."}
	f.Totals = []country.Label{
		{Caption: "Subtotal", Value: "$ 148.600,00"}, {Caption: "Otros tributos", Value: "$ 0,00"},
		{Caption: "Importe total", Value: "$ 148.600,00", Strong: true},
	}
	f.Transparency = &country.Block{Title: "Régimen de Transparencia Fiscal al Consumidor (Ley 27.743)",
		Lines: []country.Label{
			{Caption: "IVA Contenido", Value: "$ 25.790,08"},
			{Caption: "Otros Impuestos Nacionales Indirectos", Value: "$ 0,00"},
		}}
	f.Watermark = "SIN VALOR FISCAL"
	return f
}

// formFCE is a credit invoice in dollars with everything that a form can hold.
func formFCE(n int) country.Form {
	f := formA(n)
	f.Heading, f.LetterCode = "FACTURA DE CRÉDITO ELECTRÓNICA MiPyMEs (FCE)", "COD. 201"
	f.Notes = []string{
		"Moneda: dólar estadounidense (USD). Tipo de cambio: 1.487,500000. El importe total equivale a $ 2.443.907.388,13.",
		"Orden de compra 4500012345. " + strings.Repeat("Entrega parcial según cronograma acordado entre las partes. ", 4),
	}
	f.Transparency = &country.Block{Title: "Régimen de Transparencia Fiscal al Consumidor (Ley 27.743)",
		Lines: []country.Label{
			{Caption: "IVA Contenido", Value: "$ 269.629,63"},
			{Caption: "Otros Impuestos Nacionales Indirectos", Value: "$ 0,00"},
		}}
	f.Words = "Son: un millón seiscientos cuarenta y dos mil novecientos sesenta y dos dólares estadounidenses con " +
		"noventa y cinco centavos."
	f.Legends = []string{
		"CBU del emisor: 0110599520000012345678 – Opción de transferencia: SCA. Fecha de vencimiento de pago: 25/11/2026.",
		"El crédito fiscal discriminado en el presente comprobante sólo podrá ser computado a efectos del Régimen de " +
			"Sostenimiento e Inclusión Fiscal para Pequeños Contribuyentes de la Ley Nº 27.618.",
	}
	f.Watermark = "SIN VALOR FISCAL"
	return f
}

// drawing is a logo with transparent corners.
func drawing(t testing.TB, w, h int) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			dx, dy := float64(x-h/2)/float64(h/2), float64(y-h/2)/float64(h/2)
			switch {
			case dx*dx+dy*dy < 0.95 && dx*dx+dy*dy > 0.5:
				img.SetNRGBA(x, y, color.NRGBA{20, 90, 120, 255})
			case x > h+h/8 && y > h/3 && y < h*2/3:
				img.SetNRGBA(x, y, color.NRGBA{200, 110, 30, 255})
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sampleLogo is a logo as the vault holds it.
func sampleLogo(t testing.TB) []byte {
	t.Helper()
	out, _, _, err := NormaliseLogo(t.Context(), drawing(t, 900, 280))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
