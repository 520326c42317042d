package cl

import (
	"cmp"
	"encoding/xml"
	"strconv"

	"folio/country"
	"folio/events"
	"folio/money"
)

// NewDTE maps a checked document with its number to the elements of the schema. TED and
// TmstFirma are left empty for who stamps and signs it. ID is F<number>T<type>.
func NewDTE(d events.Document, taxes events.TaxInformation, profile events.IssuerProfile, number int64) DTE {
	k, _ := kindOf(d.OfficialCode)
	h, _ := ParseHeader(d.HeaderInfo)
	e, _ := ParseExport(d.ExportInfo)
	name := "Documento"
	if k.isExport() {
		name = "Exportaciones"
	}
	return DTE{
		XMLName: xml.Name{Local: name},
		ID:      "F" + strconv.FormatInt(number, 10) + "T" + strconv.Itoa(d.OfficialCode),
		Encabezado: Encabezado{
			IdDoc: idDoc(d, k, h, e, number), Emisor: emisor(d, k, h, profile), Receptor: receptor(d, k, h, e),
			RUTProvSW:  softwareRUT(k, h),
			Transporte: transporte(k, h, e), Totales: totales(d, k, taxes), OtraMoneda: otraMoneda(d, k, taxes),
		},
		Detalle: detalle(d, k, transitWords(*h.Transport)), DscRcgGlobal: descuentos(d, k),
		Referencia:    referencias(d, k, profile),
		GeoRefEmision: geoRefEmision(h),
	}
}

func geoRefEmision(h Header) *GeoRefEmision {
	if h.GeoReference == nil {
		return nil
	}
	g := *h.GeoReference
	return &GeoRefEmision{LatitudEmision: line(g.Latitude), LongitudEmision: line(g.Longitude),
		SistemaReferencia: line(g.System)}
}

// Resolution is what the envelope says of the company's authorisation: FchResol and
// NroResol, as they were when the document was created.
func Resolution(d events.Document) (date, number string) {
	h, _ := ParseHeader(d.HeaderInfo)
	return h.Issuer[FieldResolutionDate], h.Issuer[FieldResolutionNumber]
}

func idDoc(d events.Document, k kind, h Header, e Export, number int64) IdDoc {
	id := IdDoc{TipoDTE: d.OfficialCode, Folio: number, FchEmis: country.DayOf(d.Date), IndServicio: h.ServiceIndicator,
		PeriodoDesde: country.DayOf(d.ServiceStart), PeriodoHasta: country.DayOf(d.ServiceEnd), FchVenc: d.PaymentDueDate}
	form, means := payment(d, k, h)
	if k.isReceipt() {
		id.IndServicio = cmp.Or(id.IndServicio, 3) // sale of goods and services
		id.ReceiptPayment = ReceiptPayment(means)
		return id
	}
	id.TipoDespacho, id.IndTraslado, id.FmaPagExp = h.DispatchType, h.TransferType, e.PaymentForm
	id.FmaPago, id.MedioPago = form, means
	return id
}

func emisor(d events.Document, k kind, h Header, p events.IssuerProfile) Emisor {
	address, own := country.IssuerAddress(p, d), h.Issuer
	name, giro := cutLine(country.IssuerName(p, d), maxName), cutLine(own[FieldGiro], 80)
	e := Emisor{RUTEmisor: d.Issuer.DocumentNumber, CdgSIISucur: own[FieldBranchCode],
		DirOrigen: cutLine(address.Address, maxAddress), CmnaOrigen: cutLine(own[FieldComuna], maxPlace),
		CiudadOrigen: cutLine(own[FieldCity], maxPlace)}
	if k.isReceipt() {
		e.RznSocEmisor, e.GiroEmisor = name, giro
		return e
	}
	e.RznSoc, e.GiroEmis, e.CorreoEmisor, e.Sucursal, e.CdgVendedor = name, giro, cutLine(own[FieldEmail], 80),
		cutLine(own[FieldBranch], maxPlace), line(h.Seller)
	e.Telefono, e.Acteco = cutLine(address.Phone, maxPhone), Actecos(own[FieldActeco])
	if _, bad := foreignTo(e.Telefono); bad {
		e.Telefono = ""
	}
	return e
}

func receptor(d events.Document, k kind, h Header, e Export) DTEReceptor {
	p := identified(d.Recipient)
	r := DTEReceptor{RUTRecep: recipientRUT(d), CdgIntRecep: line(h.Recipient.InternalCode),
		RznSocRecep: line(recipientName(d)),
		Contacto:    line(h.Recipient.Contact), DirRecep: line(p.Address.Address), CmnaRecep: line(h.Recipient.Comuna),
		CiudadRecep: line(h.Recipient.City)}
	if isForeign(p) && k.isReceipt() { // a boleta has no Extranjero
		r.CdgIntRecep = line(p.DocumentNumber)
	}
	r.CorreoRecep = line(h.Recipient.Email)
	if k.isReceipt() {
		r.TelefonoRecep = line(h.Recipient.Phone)
		return r
	}
	r.GiroRecep = line(h.Recipient.Giro)
	if unnamedRUT(p) {
		p.DocumentNumber = "" // 55555555-5 stands in RUTRecep
	}
	if foreigner := (Extranjero{NumId: line(p.DocumentNumber), Nacionalidad: line(e.Nationality)}); k.isExport() &&
		foreigner != (Extranjero{}) {
		r.Extranjero = &foreigner
	}
	return r
}

func transporte(k kind, h Header, e Export) *Transporte {
	t := *h.Transport
	out := Transporte{Patente: line(t.Plate), RUTTrans: canonical(t.CarrierRUT), DirDest: line(t.Address),
		CmnaDest: line(t.Comuna), CiudadDest: line(t.City)}
	if t.DriverRUT != "" {
		out.Chofer = &Chofer{RUTChofer: canonical(t.DriverRUT), NombreChofer: line(t.DriverName)}
	}
	out.PatenteCarro, out.FchLlegada = line(t.TrailerPlate), t.ArrivalDate
	out.FchSalida, out.HraSalida = t.departure()
	if k.isExport() {
		out.Aduana = aduana(e)
	}
	if out == (Transporte{}) {
		return nil
	}
	return &out
}

// softwareRUT is RUTProvSW of a boleta: who made the software ("Formato boletas" v4.2).
func softwareRUT(k kind, h Header) string {
	if !k.isReceipt() {
		return ""
	}
	return canonical(h.Issuer[FieldSoftwareRUT])
}

// canonical is a checked RUT as SII writes it.
func canonical(rut string) string {
	out, err := ParseRUT(rut)
	if err != nil {
		return ""
	}
	return out
}

func aduana(e Export) *Aduana {
	a := Aduana{CodModVenta: e.SaleMode, CodClauVenta: e.SaleClause, TotClauVenta: written(e.ClauseTotal),
		CodViaTransp: e.TransportRoute,
		NombreTransp: line(e.Vessel), RUTCiaTransp: canonical(e.CarrierRUT), NomCiaTransp: line(e.CarrierName),
		Booking: line(e.Booking), Operador: line(e.Operator),
		CodPtoEmbarque: e.PortOfLoading, CodPtoDesemb: e.PortOfDischarge, Tara: e.Tare, CodUnidMedTara: e.TareUnit,
		PesoBruto: written(e.GrossWeight), CodUnidPesoBruto: e.GrossWeightUnit, PesoNeto: written(e.NetWeight),
		CodUnidPesoNeto: e.NetWeightUnit,
		TotItems:        e.TotalItems, TotBultos: e.TotalPackages, MntFlete: written(e.Freight),
		MntSeguro:    written(e.Insurance),
		CodPaisRecep: e.RecipientCountry, CodPaisDestin: e.DestinationCountry}
	empty := true
	for _, text := range []string{a.TotClauVenta, a.NombreTransp, a.RUTCiaTransp, a.NomCiaTransp, a.Booking, a.Operador,
		a.PesoBruto, a.PesoNeto, a.MntFlete, a.MntSeguro} {
		empty = empty && text == ""
	}
	for _, n := range []int64{int64(a.CodModVenta), int64(a.CodClauVenta), int64(a.CodViaTransp), int64(a.CodPtoEmbarque),
		int64(a.CodPtoDesemb),
		a.Tara, int64(a.CodUnidMedTara), int64(a.CodUnidPesoBruto), int64(a.CodUnidPesoNeto), a.TotItems, a.TotBultos,
		int64(a.CodPaisRecep), int64(a.CodPaisDestin)} {
		empty = empty && n == 0
	}
	if empty && len(e.Packages) == 0 {
		return nil
	}
	for _, p := range e.Packages {
		a.TipoBultos = append(a.TipoBultos, TipoBultos{CodTpoBultos: p.Type, CantBultos: p.Count, Marcas: line(p.Marks),
			IdContainer: line(p.Container), Sello: line(p.Seal), EmisorSello: line(p.SealIssuer)})
	}
	return &a
}

// written is a number as SII reads it, with a point and no zeros behind; "" for 0.
func written(a money.Decimal) string {
	if a.IsZero() {
		return ""
	}
	return a.Trim().String()
}

func detalle(d events.Document, k kind, said string) []Detalle {
	places := decimals(d.Currency.Code)
	lines := make([]Detalle, 0, len(d.Items))
	for i, item := range d.Items {
		l := Detalle{NroLinDet: i + 1, NmbItem: itemName(item.Description), DescuentoMonto: written(item.Discount),
			MontoItem: amountOf(item, places).Trim().String()}
		if full := line(item.Description); full != l.NmbItem {
			l.DscItem = full
		}
		if i == 0 && said != "" { // what the whole document must say in words
			l.DscItem = lineItem(item, said)
		}
		// PrcItem may not be 0: a line without price only says something.
		if !item.UnitPrice.IsZero() || k.Code == codeDispatch {
			unit, _ := country.Find(country.Units, item.UnitOfMeasure)
			l.QtyItem, l.UnmdItem, l.PrcItem = written(item.Quantity), unit.OfficialCode, written(item.UnitPrice)
		}
		if item.Code != nil {
			found, _ := country.Find(itemCodes, item.Code.Type)
			l.CdgItem = []CdgItem{{TpoCodigo: found.OfficialCode, VlrCodigo: line(item.Code.Value)}}
		}
		for _, t := range item.Taxes {
			switch known, _ := findTax(t.Type); {
			case known.isAdditional():
				l.CodImpAdic = append(l.CodImpAdic, known.code)
			case known.name == exempt && !k.isExport():
				l.IndExe = 1
			case known.name == notInvoiceable:
				l.IndExe = 2
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// descuentos are the parts of a discount on the whole: what falls on the taxed lines
// (IndExeDR left out), the exempt ones (1) and those not invoiceable (2).
func descuentos(d events.Document, k kind) []Descuento {
	var list []Descuento
	s, ok := summed(d.Items, decimals(d.Currency.Code))
	if !ok {
		return nil
	}
	for _, x := range []struct {
		name string
		ind  int
	}{{iva, 0}, {exempt, 1}, {notInvoiceable, 2}} {
		left := money.Zero
		for _, row := range d.Totals.Taxes {
			if row.Type == x.name {
				left = (&checker{kind: k}).covered(row)
			}
		}
		if off := s.of(x.name).Sub(left); off.Sign() > 0 {
			list = append(list, Descuento{NroLinDR: len(list) + 1, TpoMov: "D", GlosaDR: "Descuento global", TpoValor: "$",
				ValorDR: written(off), IndExeDR: x.ind})
		}
	}
	return list
}

func referencias(d events.Document, k kind, p events.IssuerProfile) []Referencia {
	var list []Referencia
	for i, r := range d.BillingReference {
		code, _, _ := referenceName(r.Type)
		x := Referencia{NroLinRef: i + 1, TpoDocRef: code, FolioRef: folioOf(r), CodRef: r.ReasonCode,
			RazonRef: country.ReasonTexts[r.ReasonCode]}
		if !k.isReceipt() {
			x.FchRef, x.RUTOtr = r.Date, otherIssuer(r, d, p)
		}
		list = append(list, x)
	}
	return list
}

// otherIssuer is the RUT of who issued a referenced document, "" for the issuer itself.
func otherIssuer(r events.Reference, d events.Document, p events.IssuerProfile) string {
	if r.DocumentNumber == cmp.Or(p.TaxIdentifier, d.Issuer.DocumentNumber) {
		return ""
	}
	return r.DocumentNumber
}

// totales are the sums by the schema's rules of what is left out.
func totales(d events.Document, k kind, taxes events.TaxInformation) Totales {
	a := taxes.Amounts
	t := Totales{MntTotal: a.Total.Trim().String(), MntExe: written(a.Exempt)}
	if k.isExport() {
		found, _ := country.Find(currencies, d.Currency.Code)
		t.TpoMoneda, t.MntExe = found.OfficialCode, a.Exempt.Trim().String()
		return t
	}
	if !a.Net.IsZero() {
		t.MntNeto, t.IVA = written(a.Net), written(a.Tax)
		if !k.isReceipt() {
			t.TasaIVA, t.IVA = "19", a.Tax.Trim().String()
		}
	}
	kept := money.Zero
	for _, r := range taxes.Rates {
		known, ok := findTax(r.Type)
		if !ok || !known.isAdditional() || r.Amount.IsZero() {
			continue
		}
		t.ImptoReten = append(t.ImptoReten, Impuesto{TipoImp: known.code, TasaImp: written(known.rate),
			MontoImp: written(r.Amount.Abs())})
		if known.kept {
			kept = kept.Add(r.Amount.Abs())
		}
	}
	if kept.Sign() > 0 && kept.Less(a.Tax) { // FMT: what the buyer does not retain
		t.IVANoRet = written(a.Tax.Sub(kept))
	}
	if !a.Untaxed.IsZero() {
		t.MontoNF = written(a.Untaxed)
		period := d.Totals.Total.Trim().String()
		if k.isReceipt() {
			t.TotalPeriodo = period
		} else {
			t.MontoPeriodo = period
		}
	}
	return t
}

// otraMoneda has the totals of an export in pesos, which SII requires.
func otraMoneda(d events.Document, k kind, taxes events.TaxInformation) *OtraMoneda {
	if !k.isExport() || d.Currency.Code == localCurrency {
		return nil
	}
	// Totals have at most 13 digits and rates 6, which the 19 of a decimal hold.
	pesos := func(a money.Decimal) string { return a.Mul(d.Currency.Rate).Round(0).String() }
	return &OtraMoneda{TpoMoneda: "PESO CL", TpoCambio: written(d.Currency.Rate),
		MntExeOtrMnda: pesos(taxes.Amounts.Exempt), MntTotOtrMnda: pesos(taxes.Amounts.Total)}
}
