package cl

import (
	"cmp"
	"strconv"
	"strings"

	"folio/country"
	"folio/events"
	"folio/money"
)

// customs is what the document tells Chile's customs service (Aduana), in words and with
// customs' code behind them; nil for none.
func customs(d events.Document, e Export) *country.Block {
	amount := func(a money.Decimal) string {
		if a.IsZero() {
			return ""
		}
		return symbol(d.Currency.Code) + " " + country.PrintPrice(a, decimals(d.Currency.Code))
	}
	nationality, _ := strconv.Atoi(e.Nationality)
	lines := country.Present(
		country.Label{Caption: "Modalidad de venta", Value: named(saleModes, e.SaleMode)},
		country.Label{Caption: "Cláusula de venta", Value: named(saleClauses, e.SaleClause)},
		country.Label{Caption: "Total cláusula de venta", Value: amount(e.ClauseTotal)},
		country.Label{Caption: "Forma de pago", Value: named(exportTerms, e.PaymentForm)},
		country.Label{Caption: "Flete", Value: amount(e.Freight)},
		country.Label{Caption: "Seguro", Value: amount(e.Insurance)},
		country.Label{Caption: "Vía de transporte", Value: named(customsRoutes, e.TransportRoute)},
		country.Label{Caption: "Nave o vehículo", Value: e.Vessel},
		country.Label{Caption: "Transportista",
			Value: strings.TrimSpace(e.CarrierName + " " + PrintRUT(canonical(e.CarrierRUT)))},
		country.Label{Caption: "Booking", Value: e.Booking},
		country.Label{Caption: "Operador", Value: e.Operator},
		country.Label{Caption: "Puerto de embarque", Value: named(customsPorts, e.PortOfLoading)},
		country.Label{Caption: "Puerto de desembarque", Value: named(customsPorts, e.PortOfDischarge)},
		country.Label{Caption: "País receptor", Value: customsCountry(e.RecipientCountry)},
		country.Label{Caption: "País de destino", Value: customsCountry(e.DestinationCountry)},
		country.Label{Caption: "Nacionalidad", Value: cmp.Or(customsCountry(nationality), e.Nationality)},
		country.Label{Caption: "Tara", Value: weight(money.FromInt(e.Tare), e.TareUnit)},
		country.Label{Caption: "Peso bruto", Value: weight(e.GrossWeight, e.GrossWeightUnit)},
		country.Label{Caption: "Peso neto", Value: weight(e.NetWeight, e.NetWeightUnit)},
		country.Label{Caption: "Total de ítems", Value: count(e.TotalItems)},
		country.Label{Caption: "Total de bultos", Value: count(e.TotalPackages)},
	)
	for i, p := range e.Packages {
		lines = append(lines, country.Present(country.Label{Caption: "Bultos " + strconv.Itoa(i+1), Value: packed(p)})...)
	}
	if len(lines) == 0 {
		return nil
	}
	return &country.Block{Title: "Datos de exportación", Lines: lines}
}

// named is a code of customs as it is printed: "Valparaíso (905)", the code alone where
// the table does not know it.
func named(names map[int]string, code int) string {
	switch name := names[code]; {
	case code == 0:
		return ""
	case name == "":
		return strconv.Itoa(code)
	default:
		return name + " (" + strconv.Itoa(code) + ")"
	}
}

func customsCountry(code int) string {
	if iso := customsISO[code]; iso != "" {
		return country.SpanishName(iso) + " (" + strconv.Itoa(code) + ")"
	}
	return count(int64(code))
}

// count is a whole number, "" for 0.
func count(n int64) string {
	if n == 0 {
		return ""
	}
	return country.PrintNumber(money.FromInt(n))
}

func weight(a money.Decimal, unit int) string {
	if a.IsZero() {
		return ""
	}
	return strings.TrimSpace(country.PrintNumber(a.Trim()) + " " + cmp.Or(customsUnits[unit], count(int64(unit))))
}

// packed is one kind of package on one line.
func packed(p Package) string {
	parts := []string{strings.TrimSpace(count(p.Count) + " " + named(packageTypes, p.Type))}
	for _, x := range country.Present(country.Label{Caption: "marcas", Value: p.Marks},
		country.Label{Caption: "contenedor", Value: p.Container},
		country.Label{Caption: "sello", Value: p.Seal}, country.Label{Caption: "emisor del sello", Value: p.SealIssuer}) {
		parts = append(parts, x.Caption+" "+x.Value)
	}
	return strings.TrimPrefix(strings.Join(parts, "; "), "; ")
}
