package country

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"folio/events"
	"folio/fault"
)

// Branches is what a country knows of a company's establishments.
type Branches struct {
	// Max is the highest number of one; the lowest is 1.
	Max int
	// PointOfSale says that a branch is a point of sale, so that branch_office names it and
	// numbers documents too (Argentina). Elsewhere documents are numbered by type alone.
	PointOfSale bool
	// CodeField is the field of the profile that the branch's number stands for, which the
	// authority gave out: Chile's CdgSIISucur, Uruguay's CdgDGISucur. Empty without one.
	CodeField string
	// Fields are the fields of the profile that a branch has of its own; those that are
	// required of the profile are required of it.
	Fields []ProfileField
	// Place names the fields that stand behind the street where the printed form tells the
	// head office beside a branch (Chile). Nil where it does not.
	Place []string
}

// FieldsNamed are the fields of a profile that have these names, in their order.
func FieldsNamed(all []ProfileField, names ...string) []ProfileField {
	var out []ProfileField
	for _, name := range names {
		for _, f := range all {
			if f.Name == name {
				out = append(out, f)
			}
		}
	}
	return out
}

// At is the issuer as the documents of one of its branches state it: its address, its
// first day and its own fields instead of the company's. The company's phone and first day
// stand where the branch has none; of the fields of a place nothing is mixed.
func (i Issuer) At(number int, b events.Branch, known Branches) Issuer {
	i.Profile.HeadOffice = known.place(i)
	phone := i.Profile.Address.Phone
	i.Profile.Address = b.Address
	i.Profile.Address.Phone = cmp.Or(b.Address.Phone, phone)
	i.Profile.StartActivitiesDate = cmp.Or(b.StartActivitiesDate, i.Profile.StartActivitiesDate)
	fields := maps.Clone(i.Fields)
	if fields == nil {
		fields = map[string]string{}
	}
	for _, f := range known.Fields {
		delete(fields, f.Name)
		if value := b.Fields[f.Name]; value != "" {
			fields[f.Name] = value
		}
	}
	if known.CodeField != "" {
		fields[known.CodeField] = strconv.Itoa(number)
	}
	i.Fields = fields
	return i
}

// Frozen is the profile that a document of the issuer freezes. What Check left as its
// issuer's address is what will be printed and signed.
func (i Issuer) Frozen(d events.Document, known Branches) events.IssuerProfile {
	p := i.Profile
	elsewhere := p.Address.Address != "" && p.Address.Address != d.Issuer.Address.Address
	switch {
	case elsewhere && p.HeadOffice == "":
		p.HeadOffice = known.place(i)
	case elsewhere: // of a branch, whose address is neither
		p.Establishment = known.place(i)
	}
	p.Address = d.Issuer.Address
	return p
}

// place is the company's own address in one line, "" where none is printed beside a branch.
func (b Branches) place(i Issuer) string {
	if len(b.Place) == 0 || i.Profile.Address.Address == "" {
		return ""
	}
	parts := []string{i.Profile.Address.Address}
	for _, name := range b.Place {
		parts = append(parts, i.Fields[name])
	}
	return Place(parts...)
}

// Origin brings issuer.address to what will be printed, signed and read back: the address
// that is registered, whose empty members the caller may fill. One that differs is refused
// (the code), unless documents of this kind may start elsewhere (own); it is then used as
// it is, with the registered phone where it has none. Moved says that it was.
func (v *Violations) Origin(code string, registered events.Address, own bool, given *events.Address) (moved bool) {
	merged, differs := registered, false
	wrong := slices.ContainsFunc(v.All, func(x fault.Violation) bool {
		return strings.HasPrefix(x.Path, "issuer.address.")
	})
	if wrong {
		return false // what is no address cannot be compared
	}
	if given.Address != "" && Blank(given.Address) { // kept, it would be as good as none, and no profile completes it
		v.Add("issuer.address.address", code, "nothing of it can be read: write it out, or leave it out")
		return false
	}
	for _, m := range []struct {
		name        string
		held, given *string
	}{
		{"country", &merged.Country, &given.Country}, {"region", &merged.Region, &given.Region},
		{"address", &merged.Address, &given.Address}, {"phone", &merged.Phone, &given.Phone},
	} {
		switch {
		case *m.given == "" || alike(*m.held, *m.given):
		case *m.held == "":
			*m.held = *m.given
		case own && m.name == "phone":
			*m.held = *m.given
		case own:
			moved = true
		default:
			differs = true
			v.Add("issuer.address."+m.name, code, "it differs from the registered one, %.80q, which this document has to "+
				"state: leave issuer.address out, name a branch (issuer.branch), or change the fiscal profile or the branch",
				*m.held)
		}
	}
	if moved {
		phone := merged.Phone
		merged = *given
		merged.Phone = phone
	}
	if !differs {
		*given = merged
	}
	return moved
}

// alike says that two texts differ in case and spaces at most.
func alike(a, b string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " "))
}
