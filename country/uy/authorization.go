package uy

import (
	"strconv"
	"time"

	"folio/country"
	"folio/events"
	"folio/money"
)

// ExtraSeries and the rest are the names in Authorization.Extra.
const (
	ExtraSeries       = "series"              // Serie
	ExtraNumber       = "number"              // Nro
	ExtraRange        = "cae_range"           // of the CAE, as it is printed: "A 1 a A 100"
	ExtraSecurityCode = "security_code"       // printed under the QR
	ExtraIDReceptor   = "id_receptor"         // DGI's number of the envelope; empty for what only the daily report tells
	ExtraHash         = "hash"                // DigestValue of the CFE's signature, base64
	ExtraSignedAt     = country.ExtraSignedAt // TmstFirma
)

// Signed is a CFE as it was signed.
type Signed struct {
	RUC        string
	Type       int
	Series     string
	Number     int64
	Amount     money.Decimal // MntPagar; MntTotal of an e-Remito de exportación, 0 of an e-Remito (CFE25, page 84)
	At         time.Time     // TmstFirma
	Hash       string        // DigestValue of the signature, base64
	IDReceptor string        // DGI's number of the envelope, "" when none was sent
}

// Authorization is what an accepted document shows: type CAE, the number of the CAE and
// its last day, the address of the QR code, and what is printed beside it.
func Authorization(cae CAE, s Signed) events.Authorization {
	extra := map[string]string{
		ExtraSeries: s.Series, ExtraNumber: strconv.FormatInt(s.Number, 10), ExtraRange: printRange(cae),
		ExtraSecurityCode: securityCode(s.Hash), ExtraIDReceptor: s.IDReceptor, ExtraHash: s.Hash,
		ExtraSignedAt: s.At.In(location).Format(time.RFC3339),
	}
	for name, value := range extra {
		if value == "" {
			delete(extra, name)
		}
	}
	return events.Authorization{Type: "CAE", Code: cae.Authorization, ExpiresOn: cae.ExpiresOn,
		QR: QRAddress(s, QRDateCompact), Extra: extra}
}

// printRange is the range of a CAE as it stands on a document.
func printRange(c CAE) string {
	return c.Series + " " + strconv.FormatInt(c.From, 10) + " a " + c.Series + " " + strconv.FormatInt(c.To, 10)
}

// securityCode is the "código de seguridad" of a document: the first six characters of
// its hash (CFE25, page 84).
func securityCode(hash string) string { return country.Cut(hash, 6) }
