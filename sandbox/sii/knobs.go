package sii

import (
	"errors"
	"maps"

	"folio/sandbox/desk"
)

// Knobs are the sandbox's behaviour as data: change them while it runs with Server.SetKnobs.
type Knobs struct {
	// Latency is added to every call.
	Latency desk.Duration `json:"latency"`
	// VerdictAfter is how long an envelope is under way before SII has decided: until then
	// it is REC, SOK, CRT, FOK and PDR in turn. 0 decides at once.
	VerdictAfter desk.Duration `json:"verdict_after"`
	// TokenLife is how long a token lives; an hour when zero.
	TokenLife desk.Duration `json:"token_life"`
	// Resolutions are "number date" by issuer (FchResol as YYYY-MM-DD); an issuer that is
	// not in it may name any.
	Resolutions map[string]string `json:"resolutions,omitempty"`
	// TakeExpired lets documents with an expired CAF pass with a remark.
	TakeExpired bool `json:"take_expired"`
	// RequireTransit refuses a guía, and a factura that moves goods, without the data of
	// goods in transit (Res. Ex. SII 154/2025). Whether SII refuses it or only remarks on
	// it is not known.
	RequireTransit bool `json:"require_transit"`
	// Repeats99 answers the upload of bytes that came before with STATUS 99; otherwise
	// they get a track id of their own whose state is RPT.
	Repeats99 bool `json:"repeats_99"`
}

// Effects of this authority besides the common ones.
const (
	Error  desk.Effect = "error"  // STATUS of an upload, ESTADO of a login or query: Code, Text
	Reject desk.Effect = "reject" // the document of an upload is refused with Code
	Remark desk.Effect = "remark" // it is accepted with the remark (reparo) Code
	Cover  desk.Effect = "cover"  // the envelope is refused: Code is its ESTADO, RCT when empty
	Stick  desk.Effect = "stick"  // its envelope stays in CRT before Release
)

var effects = []desk.Effect{Error, Reject, Remark, Cover, Stick}

// Fault happens to each call that it matches; calls of a login have no RUT. Operations
// are getSeed, getToken, DTEUpload, getEstUp, getEstDte, getEstDteAv, and of boletas
// boleta.electronica.envio, boleta.electronica.envio.estado, boleta.electronica.estado.
type Fault = desk.Fault

func (k Knobs) clone() Knobs {
	k.Resolutions = maps.Clone(k.Resolutions)
	return k
}

// check refuses what no authority does.
func (k Knobs) check() error {
	if k.Latency < 0 || k.VerdictAfter < 0 || k.TokenLife < 0 {
		return errors.New("latency, verdict_after and token_life cannot be negative")
	}
	return nil
}
