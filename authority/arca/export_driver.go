package arca

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"folio/authority"
	"folio/country/ar"
	"folio/events"
)

// isExport says that documents of this code go through WSFEXv1 (code 1530).
func isExport(officialCode int) bool { return officialCode >= 19 && officialCode <= 21 }

// exportID is the identifier of an invoice at WSFEXv1, 15 digits at most. It follows from
// the invoice alone, so that even a second sending under another number returns what
// the first one was given.
func exportID(invoice string) int64 {
	sum := sha256.Sum256([]byte("folio export " + invoice))
	return int64(binary.BigEndian.Uint64(sum[:8]) % 1_000_000_000_000_000)
}

// exportVoucher is the only document of a batch as Cmp.
func exportVoucher(b authority.Batch) (ExportVoucher, error) {
	if len(b.Documents) != 1 {
		return ExportVoucher{}, fmt.Errorf("WSFEXv1 takes one document at a time, not %d", len(b.Documents))
	}
	return exportOf(b.Series, b.Documents[0])
}

func exportOf(s authority.Series, doc authority.Document) (ExportVoucher, error) {
	d := doc.Document
	fail := func(what string) (ExportVoucher, error) {
		return ExportVoucher{}, unfit(doc, what)
	}
	mon, ok := ar.MonID(d.Currency.Code)
	if !ok {
		return fail("currency " + d.Currency.Code)
	}
	header, violations := ar.ParseHeader(d.HeaderInfo)
	if len(violations) > 0 {
		return fail(violations[0].Path)
	}
	e := ar.ExportOf(d)
	if e.Kind == 0 || e.Destination == 0 || e.Language == 0 {
		return fail("additional_export_info")
	}
	v := ExportVoucher{
		Id: exportID(doc.Invoice), FechaCbte: plainDate(d.Date), CbteTipo: s.OfficialCode, PuntoVta: s.BranchOffice,
		CbteNro:  doc.Number,
		TipoExpo: e.Kind, PermisoExistente: e.ExistingPermit, DstCmp: e.Destination, Cliente: d.Recipient.LegalName,
		CuitPaisCliente:  e.CountryCUIT,
		DomicilioCliente: d.Recipient.Address.Address, IdImpositivo: e.TaxID, MonedaId: mon, MonedaCtz: d.Currency.Rate,
		CanMisMonExt:   header.SameCurrency,
		ObsComerciales: d.Observations, ImpTotal: doc.Taxes.Amounts.Total, FormaPago: e.PaymentForm, Incoterms: e.Incoterms,
		IncotermsDs: e.IncotermsText,
		IdiomaCbte:  e.Language, FechaPago: e.PaymentDate,
	}
	v.setExportLists(d, header, e)
	return v, nil
}

func (v *ExportVoucher) setExportLists(d events.Document, header ar.Header, e ar.ExportData) {
	for _, l := range e.Lines {
		v.Items = append(v.Items, ExportItem{ProCodigo: l.Code, ProDs: l.Description, ProQty: l.Quantity, ProUmed: l.Unit,
			ProPrecioUni: l.Price, ProBonificacion: l.Discount, ProTotalItem: l.Total})
	}
	var permits []Permiso
	for _, p := range e.Permits {
		permits = append(permits, Permiso{p.ID, p.Destination})
	}
	var associated []CmpAsoc
	for _, r := range d.BillingReference {
		associated = append(associated, CmpAsoc{r.OfficialCode, r.BranchOffice, r.Number, r.DocumentNumber})
	}
	var optionals []Opcional
	for _, o := range header.Optionals {
		optionals = append(optionals, Opcional{o.ID, o.Value})
	}
	var activities []Actividad
	for _, id := range header.Activities {
		activities = append(activities, Actividad{id})
	}
	v.Permisos, v.CmpsAsoc, v.Opcionales, v.Actividades = filled(permits), filled(associated), filled(optionals),
		filled(activities)
}

func (d *Driver) lastExport(ctx context.Context, t *conversation, s authority.Series) (authority.Last, error) {
	number, err := t.LastExport(ctx, s.BranchOffice, s.OfficialCode)
	if err != nil {
		return authority.Last{}, translate(err)
	}
	return authority.Last{Number: number, BatchLimit: 1}, nil
}

func prepareExport(b authority.Batch) (authority.Prepared, error) {
	v, err := exportVoucher(b)
	if err != nil {
		return authority.Prepared{}, err
	}
	content, err := v.XML()
	if err != nil {
		return authority.Prepared{}, err
	}
	return authority.Prepare(content), nil
}

// sendExport calls FEXAuthorize once. What it refuses concerns the one document.
func (d *Driver) sendExport(ctx context.Context, t *conversation, b authority.Batch,
	content []byte) (authority.Answer, error) {
	v, err := exportVoucher(b)
	if err != nil {
		return authority.Answer{}, err
	}
	verdict, err := t.AuthorizeExport(ctx, v, content)
	o := events.Outcome{Invoice: b.Documents[0].Invoice, Number: v.CbteNro}
	var refused *Refused
	var ambiguous *Ambiguous
	switch {
	case errors.As(err, &refused) && !errors.As(err, &ambiguous) && !refused.Transient() &&
		!refused.Has(CodeExportOutOfStep):
		o.Result, o.Messages = events.Rejected, messages(refused.Errors)
	case err != nil:
		return authority.Answer{}, translate(err)
	case verdict.Decision == Accepted:
		o.Result, o.Sandbox, o.Messages = events.Accepted, t.noValue(), messages(verdict.Messages)
		o.Authorization = &events.Authorization{Type: "CAE", Code: verdict.CAE, ExpiresOn: isoDate(verdict.Expires),
			Date: isoDate(verdict.Date), Extra: t.extra()}
	case verdict.Decision == Rejected:
		o.Result, o.Messages = events.Rejected, messages(verdict.Messages)
	default:
		return authority.Answer{}, fmt.Errorf("the answer does not say what became of number %d", v.CbteNro)
	}
	return authority.Answer{Outcomes: []events.Outcome{o}}, nil
}

func (d *Driver) findExport(ctx context.Context, t *conversation, s authority.Series,
	doc authority.Document) (authority.Found, error) {
	held, exists, err := t.FindExport(ctx, s.BranchOffice, s.OfficialCode, doc.Number)
	if err != nil {
		return authority.Found{}, translate(err)
	}
	if !exists {
		return authority.Found{}, nil
	}
	ours, err := exportOf(s, doc)
	if err != nil {
		return authority.Found{}, err
	}
	differences := held.Differences(ours)
	return authority.Found{
		Exists: true, Same: len(differences) == 0, Difference: strings.Join(differences, ", "), Sandbox: t.noValue(),
		Authorization: events.Authorization{Type: "CAE", Code: held.Code, ExpiresOn: isoDate(held.Expires),
			Date: isoDate(held.FechaCbte), Extra: t.extra()},
		Observations: messages(motives(held.Observation)),
	}, nil
}

// outOfStep is a refusal of the number or date by either service.
func outOfStep(r *Refused) bool { return r.Has(CodeOutOfStep) || r.Has(CodeExportOutOfStep) }

// codeOf is the code that a refusal shows: its first.
func codeOf(r *Refused) string { return strconv.Itoa(r.Errors[0].Code) }
