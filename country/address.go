package country

import (
	"regexp"
	"strings"

	"folio/events"
	"folio/fault"
)

var (
	countryCode = regexp.MustCompile(`^[A-Z]{2}$`)
	regionCode  = regexp.MustCompile(`^[A-Z]{2}-[A-Z0-9]{1,3}$`)
)

// Address verifies the codes of a party's address, all of whose members are optional:
// the country (code prefix-01) and the region (prefix-02), which in the home country must
// be known there. Example is a region of home for the message: "CL-RM".
func (v *Violations) Address(prefix, party string, a events.Address, example string, known func(region string) bool) {
	if a.Country != "" && !countryCode.MatchString(a.Country) {
		v.Add(party+".address.country", prefix+"-01", "%.10q is not an ISO 3166-1 code of two letters", a.Country)
	}
	switch {
	case a.Region == "":
	case !regionCode.MatchString(a.Region), strings.HasPrefix(a.Region, example[:3]) && !known(a.Region):
		v.Add(party+".address.region", prefix+"-02", "%.10q is not an ISO 3166-2 code such as %s", a.Region, example)
	case a.Country != "" && !strings.HasPrefix(a.Region, a.Country+"-"):
		v.Add(party+".address.region", prefix+"-02", "%s is not a region of %s", a.Region, a.Country)
	}
}

// OwnAddress verifies an address that a company has itself, which its documents print and
// sign: it lies in the home country (code prefix-01) and in a region of it (prefix-02). Both
// may be left out. Example is a region of home.
func OwnAddress(prefix string, a events.Address, example string, known func(region string) bool) []fault.Violation {
	var v Violations
	if home := example[:2]; a.Country != "" && a.Country != home {
		v.Add("country", prefix+"-01", "a company has its addresses in its own country: write %s or leave it out", home)
	}
	if a.Region != "" && (!strings.HasPrefix(a.Region, example[:3]) || !known(a.Region)) {
		v.Add("region", prefix+"-02", "%.10q is not an ISO 3166-2 code such as %s", a.Region, example)
	}
	return v.All
}
