package arca

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"folio/authority"
	"folio/country/ar"
	"folio/events"
)

// vouchers is a batch as FeCAEReq: domain mapping of the manual's FECAEDetRequest.
func vouchers(b authority.Batch) (Request, error) {
	r := Request{PtoVta: b.Series.BranchOffice, CbteTipo: b.Series.OfficialCode}
	for _, doc := range b.Documents {
		v, err := voucher(doc)
		if err != nil {
			return Request{}, err
		}
		r.Vouchers = append(r.Vouchers, v)
	}
	return r, nil
}

// voucher is one document that ar.Rules checked. What cannot be mapped after that is
// an error of ours, not of the caller.
func voucher(doc authority.Document) (Voucher, error) {
	d, a := doc.Document, doc.Taxes.Amounts
	fail := func(what string) (Voucher, error) {
		return Voucher{}, unfit(doc, what)
	}
	concept, err := strconv.Atoi(d.Concept)
	if err != nil {
		return fail(events.Because("concept %s cannot be told to ARCA", d.Concept))
	}
	mon, ok := ar.MonID(d.Currency.Code)
	if !ok {
		return fail(events.Because("currency %s cannot be told to ARCA", d.Currency.Code))
	}
	header, violations := ar.ParseHeader(d.HeaderInfo)
	if len(violations) > 0 {
		return fail(events.Because("%s cannot be told to ARCA", violations[0].Path))
	}
	rate := d.Currency.Rate
	docTipo, docNro := ar.DocTipo(d.Recipient.DocumentType, d.Recipient.DocumentNumber)
	v := Voucher{
		Concepto: concept, DocTipo: docTipo, DocNro: docNro, CbteDesde: doc.Number, CbteHasta: doc.Number,
		CbteFch:  plainDate(d.Date),
		ImpTotal: a.Total, ImpTotConc: a.Untaxed, ImpNeto: a.Net, ImpOpEx: a.Exempt, ImpTrib: a.Other, ImpIVA: a.Tax,
		MonId: mon, MonCotiz: &rate, CanMisMonExt: header.SameCurrency,
	}
	v.FchServDesde, v.FchServHasta, v.FchVtoPago = ar.Dates(d)
	if id := doc.Taxes.RecipientConditionID; id != 0 {
		v.CondicionIVAReceptorId = &id
	}
	if err := v.setTaxes(doc); err != nil {
		return Voucher{}, err
	}
	v.setReferences(d.BillingReference)
	for _, o := range ar.Optionals(d) {
		v.Opcionales = append(v.Opcionales, Opcional{o.ID, o.Value})
	}
	for _, id := range header.Activities {
		v.Actividades = append(v.Actividades, Actividad{id})
	}
	for _, b := range header.Buyers {
		tipo, nro := ar.DocTipo(b.DocumentType, b.DocumentNumber)
		v.Compradores = append(v.Compradores, Comprador{tipo, nro, b.Percentage})
	}
	return v, nil
}

// unfit is the error of a document in which something has no place in ARCA's tables.
func unfit(doc authority.Document, what string) error {
	return &authority.Unfit{Invoice: doc.Invoice, Err: errors.New(what)}
}

func (v *Voucher) setTaxes(doc authority.Document) error {
	for _, r := range doc.Taxes.Rates {
		id, err := strconv.Atoi(r.Code)
		if err != nil {
			return unfit(doc, events.Because("rate %s cannot be told to ARCA", r.Type))
		}
		v.Iva = append(v.Iva, AlicIva{id, r.Base, r.Amount})
	}
	for _, t := range doc.Document.GlobalTaxes {
		id, ok := ar.GlobalTaxID(t.Type)
		if !ok {
			return unfit(doc, events.Because("tributo %s cannot be told to ARCA", t.Type))
		}
		v.Tributos = append(v.Tributos, Tributo{Id: id, Desc: t.Description, BaseImp: t.BaseAmount, Alic: t.Rate,
			Importe: t.Amount})
	}
	return nil
}

func (v *Voucher) setReferences(refs []events.Reference) {
	for _, r := range refs {
		if r.PeriodFrom != "" {
			v.PeriodoAsoc = &PeriodoAsoc{plainDate(r.PeriodFrom), plainDate(r.PeriodTo)}
			continue
		}
		v.CbtesAsoc = append(v.CbtesAsoc, CbteAsoc{Tipo: r.OfficialCode, PtoVta: r.BranchOffice, Nro: r.Number,
			Cuit: r.DocumentNumber, CbteFch: plainDate(r.Date)})
	}
}

// plainDate is yyyymmdd of YYYY-MM-DD, whatever time follows.
func plainDate(s string) string {
	return strings.ReplaceAll(s[:min(len(time.DateOnly), len(s))], "-", "")
}
