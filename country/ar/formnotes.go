package ar

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"folio/country"
	"folio/events"
)

// notes are what the document says besides its lines: observations, the currency,
// what it corrects.
func notes(i country.Issued) []string {
	d := i.Document
	var list []string
	if d.Observations != "" {
		list = append(list, d.Observations)
	}
	if cur := d.Currency; cur.Code != localCurrency && cur.Code != "" {
		name, _ := country.Find(currencies, cur.Code)
		// Totals have at most 13 digits and rates 4: the product stays exact.
		pesos := d.Totals.Total.Mul(cur.Rate)
		list = append(list, fmt.Sprintf("Moneda: %s (%s). Tipo de cambio consignado: %s pesos por unidad. El total "+
			"expresado en pesos argentinos asciende a $ %s.",
			name.Name, cur.Code, printAmount(cur.Rate), printCents(pesos)))
	}
	if refs := references(d.BillingReference); refs != "" {
		list = append(list, refs)
	}
	if permits := permitsNote(d); permits != "" {
		list = append(list, permits)
	}
	return list
}

// references names the documents or the period that a note corrects.
func references(refs []events.Reference) string {
	var parts []string
	for _, r := range refs {
		if r.PeriodFrom != "" {
			return "Período asociado: " + printDate(r.PeriodFrom) + " al " + printDate(r.PeriodTo) + "."
		}
		name := "Comprobante " + strconv.Itoa(r.OfficialCode)
		if k, ok := findKind(r.Type); ok {
			name = k.Name
		}
		part := name + " " + printNumberOf(r.BranchOffice, r.Number)
		if r.Date != "" {
			part += " del " + printDate(r.Date)
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return "Comprobantes asociados: " + strings.Join(parts, "; ") + "."
}

// legends are the texts that a law puts on the document.
func legends(i country.Issued, k kind) []string {
	var list []string
	h, _ := ParseHeader(i.Document.HeaderInfo)
	if k.retention { // RG 5762, the former class M
		list = append(list, "OPERACIÓN SUJETA A RETENCIÓN")
	}
	if k.letter == 'A' && !k.fce && h.CBU != "" { // RG 1575 and RG 5762
		list = append(list, "PAGO EN CBU INFORMADA: "+h.CBU)
	}
	// RG 5003
	if recipient, ok := findCondition(i.Taxes.RecipientCondition); ok && k.letter == 'A' && recipient.isMonotributo() {
		list = append(list, "El crédito fiscal discriminado en el presente comprobante, sólo podrá ser computado a "+
			"efectos del Régimen de Sostenimiento e Inclusión Fiscal para Pequeños Contribuyentes de la Ley N° 27.618.")
	}
	if !k.fce {
		return list
	}
	if k.IsNote() {
		answer := map[string]string{"S": "SÍ", "N": "NO"}[h.Cancellation]
		return append(list, "Comprobante de anulación: "+answer+".")
	}
	system := map[string]string{"SCA": "SCA - Sistema de Circulación Abierta",
		"ADC": "ADC - Agente de Depósito Colectivo"}[h.TransferSystem]
	text := "CBU del emisor: " + h.CBU
	if h.CBUAlias != "" {
		text += " (alias " + h.CBUAlias + ")"
	}
	return append(list, fmt.Sprintf("%s. Opción de transferencia: %s. Fecha de vencimiento de pago: %s.",
		text, cmp.Or(system, h.TransferSystem), printDate(i.Document.PaymentDueDate)))
}
