package arca

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"folio/money"
)

// differences are the names of the fields in which two vouchers differ.
type differences []string

func (d *differences) unless(same bool, name string) {
	if !same {
		*d = append(*d, name)
	}
}

// Differences names the fields in which what the authority holds is not what was sent; none
// means that it is ours. Every field of the request is compared, since FECompConsultar
// answers with all of them: nothing that was sent is left out. Two of them the service
// fills when they are absent, and they are not compared then: the date, and the rate of a
// payment in the same currency. Lists are compared in any order, and an absent list is an
// empty one. Two vouchers for unidentified consumers can be alike in everything: the
// number, which the open submission took, tells them apart.
func (r Registered) Differences(sent Voucher) []string {
	var d differences
	d.unless(r.Concepto == sent.Concepto, "Concepto")
	d.unless(r.DocTipo == sent.DocTipo, "DocTipo")
	d.unless(r.DocNro == sent.DocNro, "DocNro")
	d.unless(r.CbteDesde == sent.CbteDesde, "CbteDesde")
	d.unless(r.CbteHasta == sent.CbteHasta, "CbteHasta")
	d.unless(sent.CbteFch == "" || r.CbteFch == sent.CbteFch, "CbteFch")
	d.unless(r.ImpTotal.Equal(sent.ImpTotal), "ImpTotal")
	d.unless(r.ImpTotConc.Equal(sent.ImpTotConc), "ImpTotConc")
	d.unless(r.ImpNeto.Equal(sent.ImpNeto), "ImpNeto")
	d.unless(r.ImpOpEx.Equal(sent.ImpOpEx), "ImpOpEx")
	d.unless(r.ImpTrib.Equal(sent.ImpTrib), "ImpTrib")
	d.unless(r.ImpIVA.Equal(sent.ImpIVA), "ImpIVA")
	d.unless(r.FchServDesde == sent.FchServDesde, "FchServDesde")
	d.unless(r.FchServHasta == sent.FchServHasta, "FchServHasta")
	d.unless(r.FchVtoPago == sent.FchVtoPago, "FchVtoPago")
	d.unless(r.MonId == sent.MonId, "MonId")
	d.unless(sent.MonCotiz == nil || sameRate(r.MonCotiz, *sent.MonCotiz), "MonCotiz")
	d.unless(sameCurrency(r.CanMisMonExt) == sameCurrency(sent.CanMisMonExt), "CanMisMonExt")
	d.unless(condition(r.Voucher) == condition(sent), "CondicionIVAReceptorId")
	d.unless(matched(r.CbtesAsoc, sent.CbtesAsoc, equal), "CbtesAsoc")
	d.unless(matched(r.Tributos, sent.Tributos, sameTributo), "Tributos")
	d.unless(matched(r.Iva, sent.Iva, func(a, b AlicIva) bool {
		return a.Id == b.Id && a.BaseImp.Equal(b.BaseImp) && a.Importe.Equal(b.Importe)
	}), "Iva")
	d.unless(matched(r.Opcionales, sent.Opcionales, sameOptional), "Opcionales")
	d.unless(matched(r.Compradores, sent.Compradores, func(a, b Comprador) bool {
		return a.DocTipo == b.DocTipo && a.DocNro == b.DocNro && a.Porcentaje.Equal(b.Porcentaje)
	}), "Compradores")
	d.unless(period(r.Voucher) == period(sent), "PeriodoAsoc")
	d.unless(matched(r.Actividades, sent.Actividades, equal), "Actividades")
	return d
}

// Differences names the fields in which what the authority holds is not what was sent. The
// identifier is among them: it is ours alone. Every field of the request is compared, since
// FEXGetCMP answers with all of them, its items in their order. The date is not compared
// where it was left to the service. Texts are compared but for what the service damages,
// see alike.
func (r RegisteredExport) Differences(sent ExportVoucher) []string {
	var d differences
	d.unless(r.Id == sent.Id, "Id")
	d.unless(sent.FechaCbte == "" || r.FechaCbte == sent.FechaCbte, "Fecha_cbte")
	d.unless(r.TipoExpo == sent.TipoExpo, "Tipo_expo")
	d.unless(r.PermisoExistente == sent.PermisoExistente, "Permiso_existente")
	d.unless(matched(listed(r.Permisos), listed(sent.Permisos), equal), "Permisos")
	d.unless(r.DstCmp == sent.DstCmp, "Dst_cmp")
	d.unless(alike(r.Cliente, sent.Cliente), "Cliente")
	d.unless(r.CuitPaisCliente == sent.CuitPaisCliente, "Cuit_pais_cliente")
	d.unless(alike(r.DomicilioCliente, sent.DomicilioCliente), "Domicilio_cliente")
	d.unless(alike(r.IdImpositivo, sent.IdImpositivo), "Id_impositivo")
	d.unless(r.MonedaId == sent.MonedaId, "Moneda_Id")
	d.unless(r.MonedaCtz.Equal(sent.MonedaCtz), "Moneda_ctz")
	d.unless(sameCurrency(r.CanMisMonExt) == sameCurrency(sent.CanMisMonExt), "CanMisMonExt")
	d.unless(alike(r.ObsComerciales, sent.ObsComerciales), "Obs_comerciales")
	d.unless(r.ImpTotal.Equal(sent.ImpTotal), "Imp_total")
	d.unless(matched(listed(r.CmpsAsoc), listed(sent.CmpsAsoc), equal), "Cmps_asoc")
	d.unless(alike(r.FormaPago, sent.FormaPago), "Forma_pago")
	d.unless(r.Incoterms == sent.Incoterms, "Incoterms")
	d.unless(alike(r.IncotermsDs, sent.IncotermsDs), "Incoterms_Ds")
	d.unless(r.IdiomaCbte == sent.IdiomaCbte, "Idioma_cbte")
	d.unless(r.FechaPago == sent.FechaPago, "Fecha_pago")
	d.unless(matched(listed(r.Opcionales), listed(sent.Opcionales), sameOptional), "Opcionales")
	d.unless(matched(listed(r.Actividades), listed(sent.Actividades), equal), "Actividades")
	d.unless(len(r.Items) == len(sent.Items), "Items")
	for i := range min(len(r.Items), len(sent.Items)) {
		d.unless(sameItem(r.Items[i], sent.Items[i]), "Items."+strconv.Itoa(i+1))
	}
	return d
}

func sameRate(held *money.Decimal, sent money.Decimal) bool {
	return held != nil && held.Equal(sent)
}

// sameCurrency is CanMisMonExt; absent it is N (manual of WSFEv1, RG 5616).
func sameCurrency(s string) string { return cmp.Or(s, "N") }

// condition is CondicionIVAReceptorId, 0 for none.
func condition(v Voucher) int {
	if v.CondicionIVAReceptorId == nil {
		return 0
	}
	return *v.CondicionIVAReceptorId
}

func period(v Voucher) PeriodoAsoc {
	if v.PeriodoAsoc == nil {
		return PeriodoAsoc{}
	}
	return *v.PeriodoAsoc
}

func equal[T comparable](a, b T) bool { return a == b }

func sameTributo(a, b Tributo) bool {
	return a.Id == b.Id && a.BaseImp.Equal(b.BaseImp) && a.Alic.Equal(b.Alic) && a.Importe.Equal(b.Importe) &&
		alike(a.Desc, b.Desc)
}

func sameOptional(a, b Opcional) bool { return a.Id == b.Id && alike(a.Valor, b.Valor) }

func sameItem(a, b ExportItem) bool {
	return alike(a.ProCodigo, b.ProCodigo) && alike(a.ProDs, b.ProDs) && a.ProQty.Equal(b.ProQty) &&
		a.ProUmed == b.ProUmed &&
		a.ProPrecioUni.Equal(b.ProPrecioUni) && a.ProBonificacion.Equal(b.ProBonificacion) &&
		a.ProTotalItem.Equal(b.ProTotalItem)
}

// listed are the elements of a list that may be absent.
func listed[T any](list *[]T) []T {
	if list == nil {
		return nil
	}
	return *list
}

// matched says whether two lists hold the same elements in any order.
func matched[T any](held, sent []T, same func(held, sent T) bool) bool {
	if len(held) != len(sent) {
		return false
	}
	taken := make([]bool, len(held))
next:
	for _, s := range sent {
		for i, h := range held {
			if !taken[i] && same(h, s) {
				taken[i] = true
				continue next
			}
		}
		return false
	}
	return true
}

// alike compares a text that the authority holds with the one that was sent: on one line,
// in any case, and with anything short in the place of letters outside ASCII, which come
// back damaged in several ways ("Ã‘", "?", "N").
func alike(held, sent string) bool {
	rest, whole := folded(held), folded(sent)
	foreign := func(r rune) bool { return r > unicode.MaxASCII }
	parts := strings.FieldsFunc(whole, foreign)
	if len(parts) == 1 && parts[0] == whole || whole == "" {
		return rest == whole
	}
	const damaged = 4 // characters that one may become
	plain := len(strings.Join(parts, ""))
	if n := utf8.RuneCountInString(rest); n < plain || n > plain+damaged*(utf8.RuneCountInString(whole)-plain) {
		return false
	}
	for i, p := range parts {
		before, after, found := strings.Cut(rest, p)
		if !found || i == 0 && before != "" && strings.HasPrefix(whole, p) {
			return false
		}
		rest = after
	}
	last, _ := utf8.DecodeLastRuneInString(whole)
	return foreign(last) || rest == "" || strings.HasSuffix(rest, parts[len(parts)-1])
}

// folded is a text on one line in upper case.
func folded(text string) string { return strings.ToUpper(strings.Join(strings.Fields(text), " ")) }
