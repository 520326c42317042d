package cl

import (
	"cmp"

	"folio/country"
	"folio/events"
)

// VerificationURL is where anybody may verify a document; it is printed on each.
const VerificationURL = "https://www.sii.cl"

// ExtraStamp and the rest are the names in Authorization.Extra.
const (
	ExtraStamp    = "ted"       // the stamp, as UTF-8 text
	ExtraTrackID  = "track_id"  // SII's receipt of the envelope
	ExtraState    = "sii_state" // SII's last word on it: EPR, DOK ...
	ExtraCAFFrom  = "caf_from"
	ExtraCAFTo    = "caf_to"
	ExtraCAFDate  = "caf_date" // FA
	ExtraCAFKeyID = "caf_key_id"
)

// Authorization is what an accepted document shows: type CAF, SII's track id (empty
// when only the verdict is known) and the last day of the CAF. Ted is what Stamp made.
func Authorization(s CAF, ted []byte, trackID, state string) events.Authorization {
	extra := map[string]string{
		ExtraStamp: FromLatin1(ted), ExtraTrackID: trackID, ExtraState: state,
		ExtraCAFFrom: decimal(s.From), ExtraCAFTo: decimal(s.To), ExtraCAFDate: s.IssuedOn,
		ExtraCAFKeyID: decimal(int64(s.KeyID)),
	}
	for name, value := range extra {
		if value == "" {
			delete(extra, name)
		}
	}
	return events.Authorization{Type: "CAF", Code: trackID, QR: VerificationURL, Extra: extra,
		ExpiresOn: Rules{}.LastDay(country.RangeFile{OfficialCode: s.Type, IssuedOn: s.IssuedOn})}
}

// QR is the address where the document can be verified. Chile prints no QR: its code
// is the stamp's.
func (Rules) QR(i country.Issued) string { return cmp.Or(i.Authorization.QR, VerificationURL) }
