// Package countries wires what this program knows of each country: rules, driver, sandbox,
// commands that make test material, and a company for the demonstration. A country is one
// file here and its place in All; everything else finds it through this list.
package countries

import (
	"strings"

	"folio/authority"
	"folio/country"
	"folio/sandbox"
)

// Country is all that the program has of one.
type Country struct {
	// Name is its English name.
	Name string
	// Rules decide what is right.
	Rules country.Rules
	// Words are what no other country says, besides code, authority and identifier: no
	// package that serves every country may hold them.
	Words []string
	// Services are the names under which the addresses of its authority may be moved.
	Services []string
	// NoLastNumber says why its authority cannot be asked for the last number of a series; empty: it can.
	NoLastNumber string
	// Driver speaks to its authority.
	Driver func(Settings) authority.Driver
	// Sandbox stands for its authority.
	Sandbox sandbox.Authority
	// Commands are subcommands of "folio sandbox": pointers to structs as kong reads them.
	Commands []any
	// Demo is a company of the demonstration; nil: none is shown.
	Demo *Demo
}

// All are the countries, in the order in which people see them.
var All = []Country{argentina, chile, uruguay}

// each is one member of every country.
func each[T any](of func(Country) T) []T { return country.Collect(All, of) }

// Rules are those of every country.
func Rules() country.Registry { return each(func(c Country) country.Rules { return c.Rules }) }

// Names are the English names of all.
func Names() []string { return each(func(c Country) string { return c.Name }) }

// Holders say of which holders the sandboxes make certificates: "Argentina: CUIT".
func Holders() string {
	return strings.Join(each(func(c Country) string { return c.Name + ": " + c.Sandbox.HolderName }), ", ")
}

// Codes are the ISO 3166-1 alpha-2 codes of all.
func Codes() []string { return each(func(c Country) string { return c.Rules.Code() }) }

// Authorities are the names of all authorities.
func Authorities() []string { return each(func(c Country) string { return c.Rules.Authority() }) }

// ByCode are the rules of a country by its ISO 3166-1 alpha-2 code, in any case.
func ByCode(code string) (country.Rules, bool) { return Rules().ByCode(code) }

// NoLastNumber is why the authority of a country cannot be asked for the last number of a series; empty: it can.
func NoLastNumber(code string) string {
	for _, c := range All {
		if c.Rules.Code() == code {
			return c.NoLastNumber
		}
	}
	return ""
}

// Sandboxes are those of every authority.
func Sandboxes() []sandbox.Authority {
	return each(func(c Country) sandbox.Authority { return c.Sandbox })
}

// Drivers are one of each authority, by its name.
func Drivers(s Settings) map[string]authority.Driver {
	out := map[string]authority.Driver{}
	for _, c := range All {
		d := c.Driver(s)
		out[d.Name()] = d
	}
	return out
}

// Commands are the subcommands of "folio sandbox" that make what only one country has.
func Commands() (out []any) {
	for _, c := range All {
		out = append(out, c.Commands...)
	}
	return out
}
