package dgi

import (
	"errors"

	"folio/money"
	"folio/sandbox/desk"
)

// Knobs are the sandbox's behaviour as data: change them while it runs with Server.SetKnobs.
type Knobs struct {
	// Latency is added to every call.
	Latency desk.Duration `json:"latency"`
	// VerdictAfter is how long after an envelope DGI has decided on its documents: Fechahora
	// of the receipt. Who asks before is told 13. 0 decides at once.
	VerdictAfter desk.Duration `json:"verdict_after"`
	// TakeSHA1 accepts documents that are signed with SHA-1, as DGI's own examples are;
	// whether DGI still does is unverified. Messages may be signed with either.
	TakeSHA1 bool `json:"take_sha1"`
	// OneCertificate refuses an envelope whose call was signed with another certificate
	// than its own, even of the same company (S03); unverified.
	OneCertificate bool `json:"one_certificate"`
	// RepeatsS08 answers an envelope that came before, byte by byte, with a receipt of S08,
	// as one under its number with other content; otherwise with error 108.
	RepeatsS08 bool `json:"repeats_s08"`
	// Tolerance is by how much totals may differ from those that the lines give; DGI's own
	// is not published.
	Tolerance money.Decimal `json:"tolerance"`
	// StrictReferences refuses a note whose referenced document is not known (E12), by
	// number or in the ranges of a daily report; otherwise it only must have a reference.
	StrictReferences bool `json:"strict_references"`
	// RequireAmounts refuses a note that names a document without MntCFEref and TpoMonedaRef,
	// or without TpoCambioRef for one that is not in pesos (E05); DGI's severity is unverified.
	RequireAmounts bool `json:"require_amounts"`
	// IdentifyFrom is the net amount in pesos above which an e-Ticket must name who
	// receives it (5,000 UI); 0 is never.
	IdentifyFrom money.Decimal `json:"identify_from"`
}

// Effects of this authority besides the common ones.
const (
	Error     desk.Effect = "error"      // an error of the service (Respuestas): Code, 99 when empty
	SOAPFault desk.Effect = "soap_fault" // HTTP 500 with a SOAP Fault: Code, Text
	Cover     desk.Effect = "cover"      // the envelope is refused (BS) with Code, S01 when empty; a report (BR), R01
	Reject    desk.Effect = "reject"     // the document is refused (BE) with Code, E05 when empty
	Stick     desk.Effect = "stick"      // the envelope is not decided before Release
	Partial   desk.Effect = "partial"    // its verdicts come in two messages
)

var effects = []desk.Effect{Error, SOAPFault, Cover, Reject, Stick, Partial}

// Fault happens to each call that it matches; RUT is the company's RUC. Operations are
// EFACRECEPCIONSOBRE, EFACCONSULTARESTADOENVIO, EFACCONSULTARESTADOCFE and
// EFACRECEPCIONREPORTE.
type Fault = desk.Fault

// check refuses what no authority does.
func (k Knobs) check() error {
	if k.Latency < 0 || k.VerdictAfter < 0 || k.Tolerance.Sign() < 0 || k.IdentifyFrom.Sign() < 0 {
		return errors.New("times and amounts cannot be negative")
	}
	return nil
}
