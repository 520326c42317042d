package uy

import (
	"errors"
	"fmt"
	"strings"

	"folio/country"
	"folio/events"
)

// ErrRegime is the reason why a document cannot be written with this CAE.
var ErrRegime = errors.New("the document and its CAE are of different regimes")

// The regimes whose companies get special CAEs from DGI (FieldRegime).
const (
	regimeExempt  = "exempt"
	regimeMinimum = "iva_minimo"
)

// regime is a kind of company with special CAEs (CFE25 G-C5: CAEEspecial). E-invoicing is
// compulsory for IVA mínimo since 2025-01-01; monotributo is excused and may take part.
type regime struct {
	name    string
	special int    // CAEEspecial
	box     string // what the printed copy must say in a frame
}

var regimes = []regime{
	{regimeExempt, 1, "Contribuyente Exonerado"},
	{regimeMinimum, 2, "Contribuyente IVA MINIMO"},
	{"monotributo", 3, "MONOTRIBUTO"},
	{"monotributo_mides", 4, "MONOTRIBUTO SOCIAL MIDES"},
}

// findRegime finds a regime by its name; false for none.
func findRegime(name string) (regime, bool) {
	for _, r := range regimes {
		if r.name == name {
			return r, true
		}
	}
	return regime{}, false
}

func regimeNames() string {
	return strings.Join(country.Collect(regimes, func(r regime) string { return r.name }), ", ")
}

// regimeOf is the regime that a document froze; the zero regime for the general one.
func regimeOf(fields map[string]string) regime {
	r, _ := findRegime(fields[FieldRegime])
	return r
}

// small says that IVA is not invoiced by lines: IVA mínimo and monotributo, whose
// documents have MntBruto 3 and IndFact 16 (CFE25 A-C10, B-C4).
func (r regime) small() bool { return r.special >= 2 }

// silent says that the document tells nothing of IVA being up to date, neither to DGI nor on
// paper: both kinds of monotributo (CFE25 A-C17, 25-1).
func (r regime) silent() bool { return r.special >= 3 }

// allows says whether a line of a document with IVA may be of this tax (CFE25 B-C4): no
// rate of an exempt company; of the small ones nothing but their own, and what is not
// invoiceable; the small ones' of nobody else.
func (r regime) allows(tax string) bool {
	switch {
	case tax == notInvoiceable:
		return true
	case r.small():
		return tax == smallIssuer
	case r.special == 1:
		return tax == exempt
	}
	return tax != smallIssuer
}

func (r regime) refuses(tax string) string {
	switch {
	case r.small():
		return fmt.Sprintf("a company whose special_regime is %s sells with %s or %s, not %s", r.name, smallIssuer,
			notInvoiceable, tax)
	case r.special == 1:
		return fmt.Sprintf("a company whose special_regime is %s sells with %s or %s, not %s", r.name, exempt, notInvoiceable,
			tax)
	}
	return fmt.Sprintf("%s is for companies whose fiscal profile says special_regime: this one's does not", smallIssuer)
}

// fits wants the document's regime, frozen from the company's profile, to be that of the CAE
// that its number is of, and its lines to be of it: CAEEspecial 2, 3 and 4 and MntBruto 3 go
// together, both ways (CFE25 A-C10, G-C5).
func (r regime) fits(d events.Document, k kind, cae CAE) error {
	if cae.Special != r.special {
		return fmt.Errorf("%w: the CAE %s is for %s, and the company's fiscal profile said %s when the document was "+
			"created: upload a CAE of its regime and issue it again",
			ErrRegime, cae.Authorization, regimeName(cae.Special), regimeName(r.special))
	}
	for _, item := range d.Items {
		if t, ok := lineTaxOf(item); ok && k.taxed() && !r.allows(t.name) {
			return fmt.Errorf("%w: %s: issue it again", ErrRegime, r.refuses(t.name))
		}
	}
	return nil
}

// regimeOfCAE is what the fiscal profile must say for a CAE, "" for the general regime.
func regimeOfCAE(special int) string {
	for _, r := range regimes {
		if r.special == special {
			return r.name
		}
	}
	return ""
}

// regimeName names a CAEEspecial.
func regimeName(special int) string {
	for _, r := range regimes {
		if r.special == special {
			return "special_regime " + r.name
		}
	}
	return "no special_regime"
}
