package cl

import (
	"fmt"
	"regexp"

	"folio/country"
	"folio/events"
	"folio/fault"
)

var _ country.HandsOver = Rules{}

// HandOver follows SII's answers. A document may go to its receiver once it was sent; its
// verdict is not needed (answers 001_003_1119 and 001_003_6592). While SII cannot be reached
// boletas are made all the same and sent from reconnection on (Res. Ex. SII 99/2019, answer
// 001_380_7676). Of invoices SII says that they are issued afterwards with the date of the
// operation, or offline "where the software has it" (answer 001_003_0891): that is the
// operator's to hold. Goods never move on a guía that was not sent (answer 001_003_1119).
func (Rules) HandOver(d events.Document, s country.Standing) country.Basis {
	switch {
	case s.Received:
		return country.Sent
	case s.Away && (IsReceipt(d.OfficialCode) || s.Offline && d.OfficialCode != codeDispatch):
		return country.Contingency
	}
	return ""
}

// stampInside finds the stamp, which was signed with the CAF's key, byte for byte.
var stampInside = regexp.MustCompile(`(?s)<TED version="1\.0">.*?</TED>`)

// Provisional is the stamp of the document and nothing of SII's: no track id and no state.
func (Rules) Provisional(signed []byte) (events.Authorization, error) {
	ted := stampInside.Find(signed)
	if ted == nil {
		return events.Authorization{}, fmt.Errorf("the signed document has no stamp")
	}
	return events.Authorization{Type: "CAF", QR: VerificationURL, Extra: map[string]string{ExtraStamp: FromLatin1(ted)}},
		nil
}

// BeforeVerdict is printed on the document. No norm words it.
func (Rules) BeforeVerdict(b country.Basis) string {
	if b == country.Contingency {
		return "EMITIDO SIN CONEXIÓN CON EL SII: este documento está firmado y timbrado, y aún no fue enviado. Se " +
			"enviará al restablecerse la conexión."
	}
	return "ENVIADO AL SII, AÚN SIN SU RESPUESTA: este ejemplar se entrega antes de que el SII lo valide."
}

// RefusedAfter follows SII's answer 001_003_2167 as far as it goes: it does not speak of a
// document that its receiver already has.
func (Rules) RefusedAfter() string {
	return fault.Words("It was handed over before SII refused it, so no valid document exists. Issue a corrected one with the " +
		"date of the operation, tell the receiver that the first one is void, and declare its folio void at sii.cl.")
}
