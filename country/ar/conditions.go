package ar

import (
	"cmp"
	"slices"
	"strings"

	"folio/country"
	"folio/events"
)

// condition is a standing before VAT: CondicionIVAReceptorId of RG 5616, with the
// classes of document that such a recipient may get.
type condition struct {
	id      int
	name    string // as a caller writes it
	text    string
	printed string   // legend that an issuer with it prints
	classes []string // WSFEv1 manual, annex of FEParamGetCondicionIvaReceptor (errors 10242, 10243)
}

var (
	toRegistered = []string{"A", "ALEY", "C"}
	toOthers     = []string{"B", "C"}
)

// The ids that rules know by number.
const (
	registered    = 1
	exemptParty   = 4
	finalConsumer = 5
	monotributo   = 6
	uncategorized = 7
	socialMono    = 13
	notReached    = 15
	promotedMono  = 16
)

// uncategorizedCUIT stands for every recipient that is no_categorizado (10067).
const uncategorizedCUIT = "23000000000"

var conditions = []condition{
	{registered, "responsable_inscripto", "IVA Responsable Inscripto", "IVA RESPONSABLE INSCRIPTO", toRegistered},
	{exemptParty, "exento", "IVA Sujeto Exento", "IVA EXENTO", toOthers},
	{finalConsumer, "consumidor_final", "Consumidor Final", "CONSUMIDOR FINAL", toOthers},
	{monotributo, "monotributo", "Responsable Monotributo", "RESPONSABLE MONOTRIBUTO", toRegistered},
	{uncategorized, "no_categorizado", "Sujeto No Categorizado", "SUJETO NO CATEGORIZADO", toOthers},
	{8, "proveedor_exterior", "Proveedor del Exterior", "PROVEEDOR DEL EXTERIOR", toOthers},
	{9, "cliente_exterior", "Cliente del Exterior", "CLIENTE DEL EXTERIOR", toOthers},
	{10, "iva_liberado", "IVA Liberado - Ley N° 19.640", "IVA LIBERADO LEY 19.640", toOthers},
	{socialMono, "monotributo_social", "Monotributista Social", "MONOTRIBUTISTA SOCIAL", toRegistered},
	{notReached, "no_alcanzado", "IVA No Alcanzado", "IVA NO ALCANZADO", toOthers},
	{promotedMono, "monotributo_promovido", "Monotributo Trabajador Independiente Promovido",
		"MONOTRIBUTO TRABAJADOR INDEPENDIENTE PROMOVIDO", toRegistered},
}

func findCondition(text string) (condition, bool) {
	c, ok := country.Find(conditionList, text)
	if !ok {
		return condition{}, false
	}
	i := slices.IndexFunc(conditions, func(x condition) bool { return x.name == c.Code })
	return conditions[i], true
}

func conditionByID(id int) condition {
	i := slices.IndexFunc(conditions, func(c condition) bool { return c.id == id })
	return conditions[i]
}

// defaultCondition is what is told when the caller says nothing: a value that the
// matrix allows for the class. Being a statement of the issuer's, TaxInformation
// says that it is Folio's.
func defaultCondition(k kind, docType int, docNumber string) condition {
	entity := docType == docCUIT &&
		(strings.HasPrefix(docNumber, "30") || strings.HasPrefix(docNumber, "33") || strings.HasPrefix(docNumber, "34"))
	switch {
	case k.letter == 'A':
		return conditionByID(registered)
	case k.letter == 'C' && entity:
		return conditionByID(registered)
	case k.letter == 'E':
		return conditionByID(9)
	case docType == docCUIT && docNumber == uncategorizedCUIT:
		return conditionByID(uncategorized)
	}
	return conditionByID(finalConsumer)
}

// mayIssue says whether an issuer of this condition may make documents of the kind
// (RG 1415 articles 15 to 17). Exports are open to all.
func mayIssue(c condition, k kind) bool {
	switch k.letter {
	case 'A', 'B':
		return c.id == registered
	case 'C':
		return slices.Contains([]int{exemptParty, monotributo, socialMono, notReached, promotedMono}, c.id)
	}
	return true
}

// issuerCondition is what a document says of its issuer. A or B without a profile can only
// come from a responsable inscripto (RG 1415 articles 15 to 17); of any other document the
// profile must say it, or nothing is said.
func issuerCondition(k kind, p events.IssuerProfile, frozen events.TaxInformation) condition {
	c, ok := findCondition(cmp.Or(p.TaxCondition, frozen.IssuerCondition))
	if !ok && (k.letter == 'A' || k.letter == 'B') {
		return conditionByID(registered)
	}
	return c
}

// IssuerCondition is the issuer's condition before VAT, as it is printed.
func (Rules) IssuerCondition(d events.Document, p events.IssuerProfile, frozen events.TaxInformation) string {
	k, _ := findKind(d.Type)
	return issuerCondition(k, p, frozen).name
}

// isMonotributo says that the recipient may use the credit of a class A document
// only as Law 27.618 allows.
func (c condition) isMonotributo() bool {
	return c.id == monotributo || c.id == socialMono || c.id == promotedMono
}
