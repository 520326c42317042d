package uy

import (
	"encoding/xml"
	"fmt"
	"time"

	"folio/country"
	"folio/events"
)

// CFE writes the unsigned document of a checked invoice with its number: the CFE element
// with DGI's namespace as the default one, in the order and within the lengths of the
// schema (XSD CFEDefType), in UTF-8 and without white between elements. It is a pure
// function: the same arguments give the same bytes. TmstFirma is at, to the second, in
// Uruguay's time with its offset.
//
// Whoever signs it signs it as a document of its own and puts it unaltered into the
// envelope; the signature is the last child of the root.
//
// It refuses a number outside the CAE, a CAE of another type or company, and a document
// of a kind that it does not know; with ErrRegime a CAE of another regime than that of the
// document. That at lies within the CAE's validity (E07) is not
// its business.
func CFE(i country.Issued, cae CAE, at time.Time) ([]byte, error) {
	d, number := i.Document, i.Number
	k, ok := kindOf(d.OfficialCode)
	switch {
	case !ok:
		return nil, fmt.Errorf("write the CFE: %d is no kind of document", d.OfficialCode)
	case cae.Type != k.Code:
		return nil, fmt.Errorf("write the CFE: the CAE %s is for type %d, not %d", cae.Authorization, cae.Type, k.Code)
	case cae.RUC != d.Issuer.DocumentNumber:
		return nil, fmt.Errorf("write the CFE: the CAE %s is of %s, not %s", cae.Authorization, cae.RUC,
			d.Issuer.DocumentNumber)
	case number < cae.From || number > cae.To:
		return nil, fmt.Errorf("write the CFE: %d is not in the CAE's range, %s %d to %d", number, cae.Series, cae.From,
			cae.To)
	}
	h, _ := ParseHeader(d.HeaderInfo)
	if err := regimeOf(h.Issuer).fits(d, k, cae); err != nil {
		return nil, err
	}
	e, _ := ParseExport(d.ExportInfo)
	w := cfeWriter{d: d, k: k, h: h, e: e, taxes: i.Taxes, profile: i.Profile}
	document := cfeDocument{Version: "1.0"}
	*document.body(k.Code) = w.body(number, cae, at)
	out, err := xml.Marshal(document)
	if err != nil {
		return nil, fmt.Errorf("write the CFE: %w", err)
	}
	return out, nil
}

// cfeWriter has what the parts of a CFE are made of.
type cfeWriter struct {
	d       events.Document
	k       kind
	h       Header
	e       Export
	taxes   events.TaxInformation
	profile events.IssuerProfile
}

// stamp is a dateTime as DGI gets it: to the second, in Uruguay's time with its offset.
func stamp(at time.Time) string { return at.In(location).Format("2006-01-02T15:04:05-07:00") }

// body is the place of the element that a kind is written as.
func (c *cfeDocument) body(code int) **cfeBody {
	switch {
	case code == codeRemito:
		return &c.Remito
	case code == codeExportRemito:
		return &c.ExportRemito
	case IsExport(code):
		return &c.Export
	case IsTicket(code):
		return &c.Ticket
	}
	return &c.Invoice
}

func (w cfeWriter) body(number int64, cae CAE, at time.Time) *cfeBody {
	return &cfeBody{
		TmstFirma: stamp(at),
		Encabezado: cfeEncabezado{
			IdDoc: w.idDoc(number, cae.Series), Emisor: w.emisor(), Receptor: w.receptor(), Totales: w.totales(),
		},
		Detalle: w.detalle(), DscRcgGlobal: w.descuentos(), MediosPago: w.mediosPago(), Referencia: w.referencias(),
		CAEData: cfeCAEData{CAEID: cae.Authorization, DNro: cae.From, HNro: cae.To, FecVenc: cae.ExpiresOn,
			CAEEspecial: cae.Special, CausalCAEEsp: cae.Cause},
	}
}

func (w cfeWriter) idDoc(number int64, series string) cfeIdDoc {
	d, h := w.d, w.h
	id := cfeIdDoc{TipoCFE: w.k.Code, Serie: series, Nro: number, NroInterno: told(h.InternalNumber, maxShortText),
		FchEmis:          country.DayOf(d.Date),
		InfoAdicionalDoc: told(h.AdditionalInfo, maxInfo)}
	if IsExport(w.k.Code) {
		id.ClauVenta, id.ModVenta, id.ViaTransp = w.e.SaleClause, w.e.SaleMode, w.e.TransportRoute
	}
	if IsRemito(w.k.Code) {
		id.TipoTraslado = h.TransferType
		return id
	}
	id.PeriodoDesde, id.PeriodoHasta, id.FchVenc = country.DayOf(d.ServiceStart), country.DayOf(d.ServiceEnd),
		country.DayOf(d.PaymentDueDate)
	id.FmaPago, id.IVAalDia = fmaPago(d), ivaAlDia(h)
	switch {
	case regimeOf(h.Issuer).small():
		id.MntBruto = 3
	case h.GrossPrices:
		id.MntBruto = 1
	}
	return id
}

func (w cfeWriter) emisor() cfeEmisor {
	own, address := w.h.Issuer, country.IssuerAddress(w.profile, w.d)
	e := cfeEmisor{RUCEmisor: w.d.Issuer.DocumentNumber, RznSoc: told(country.IssuerName(w.profile, w.d), maxName),
		NomComercial: told(own[FieldTradeName], 30),
		GiroEmis:     told(own[FieldGiro], 100), CorreoEmisor: told(own[FieldEmail], 80), CdgDGISucur: own[FieldBranchCode],
		DomFiscal: told(address.Address, maxAddress), Ciudad: told(own[FieldCity], maxPlace)}
	e.Telefono = told(address.Phone, 20)
	e.Departamento = told(own[FieldDepartment], maxPlace)
	if name, ok := Department(own[FieldDepartment]); ok {
		e.Departamento = name
	}
	return e
}

// receptor is the recipient; nil where the kind may leave the block out and nothing is
// known of one (small e-Tickets).
func (w cfeWriter) receptor() *cfeReceptor {
	p, r := identified(w.d.Recipient), w.h.Recipient
	out := cfeReceptor{RznSocRecep: told(p.LegalName, maxName), DirRecep: told(p.Address.Address, maxAddress),
		CiudadRecep: told(r.City, maxPlace),
		DeptoRecep:  told(recipientDepartment(w.h, p), maxPlace), CP: r.PostalCode,
		InfoAdicional: told(r.AdditionalInfo, maxInfo),
		LugarDestEnt:  told(r.DeliveryPlace, 100), CompraID: told(w.h.PurchaseOrder, maxShortText)}
	kind, nation, number, foreign := recipientDocument(p)
	out.TipoDocRecep, out.CodPaisRecep, out.DocRecep = kind, nation, number
	if foreign {
		out.DocRecep, out.DocRecepExt = "", told(number, 20)
	}
	if code := p.Address.Country; code != "" && code != "UY" {
		out.PaisRecep = told(country.SpanishName(code), maxPlace)
	}
	if out == (cfeReceptor{}) {
		return nil
	}
	return &out
}
