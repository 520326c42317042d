package country

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"folio/events"
)

// UpTo is the check of a field that holds at most so many characters.
func UpTo(limit int) func(value string) error {
	return func(value string) error {
		if n := utf8.RuneCountInString(value); n > limit {
			return fmt.Errorf("it has %d characters, at most %d are allowed", n, limit)
		}
		if strings.ContainsFunc(value, unicode.IsControl) || strings.ContainsFunc(value, Unfit) {
			return errors.New("control characters and those that turn the direction of text are not allowed")
		}
		return nil
	}
}

// MissingFields names the address and the required fields that a company has not given.
func MissingFields(known []ProfileField, issuer Issuer) []string {
	var missing []string
	if Blank(issuer.Profile.Address.Address) {
		missing = append(missing, "address")
	}
	for _, f := range known {
		if f.Required && Blank(issuer.Fields[f.Name]) {
			missing = append(missing, f.Name)
		}
	}
	return missing
}

// FreezeIssuer is additional_header_info with the country's own fields of the issuer's
// profile in its member "issuer", as they are now. What a caller wrote there is replaced.
func FreezeIssuer(raw json.RawMessage, known []ProfileField, values map[string]string) json.RawMessage {
	fields := map[string]string{}
	for _, f := range known {
		if value := values[f.Name]; value != "" {
			fields[f.Name] = value
		}
	}
	if len(fields) == 0 {
		return SetMember(raw, "issuer", nil)
	}
	return SetMember(raw, "issuer", fields)
}

// SetMember is an object with one member replaced, or taken out when the value is nil;
// the others stay as they were written. What is no object stays as it is, and an object
// without members is nothing.
func SetMember(raw json.RawMessage, name string, value any) json.RawMessage {
	members := map[string]json.RawMessage{}
	if !IsNull(raw) && json.Unmarshal(raw, &members) != nil {
		return raw
	}
	delete(members, name)
	if value != nil {
		text, err := json.Marshal(value)
		if err != nil {
			return raw
		}
		members[name] = text
	}
	if len(members) == 0 {
		return nil
	}
	out, err := json.Marshal(members)
	if err != nil {
		return raw
	}
	return out
}

// IssuerName is the company's own name: that of the profile, which certificates and
// numbering files are of, or what the document says.
func IssuerName(p events.IssuerProfile, d events.Document) string {
	return cmp.Or(p.LegalName, d.Issuer.LegalName)
}

// IssuerAddress is the address that the document is signed and printed with and read back
// with: that of the profile, or what the document says where the profile has none.
func IssuerAddress(p events.IssuerProfile, d events.Document) events.Address {
	if p.Address.Address != "" {
		return p.Address
	}
	return d.Issuer.Address
}
