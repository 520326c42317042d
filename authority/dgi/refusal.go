package dgi

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"folio/authority"
)

// An envelope that is there already, as the service says it (ExcepcionesServicios.xsd) and
// as its receipt does (MSG19).
const (
	codeDuplicateEnvelope = "108"
	codeRepeated          = "S08"
)

// serviceErrors are those that say what to do. Any other is ambiguous: its text is shown,
// and the documents are asked for before anything is sent again.
var serviceErrors = map[string]struct {
	text    string
	meaning error
}{
	"5":   {"DGI does not take the certificate", authority.ErrCredential},
	"6":   {"DGI does not know the RUC that calls", authority.ErrSeries},
	"7":   {"DGI does not know the document of the caller", authority.ErrSeries},
	"8":   {"DGI does not take the user", authority.ErrCredential},
	"9":   {"DGI does not take the user", authority.ErrCredential},
	"10":  {"DGI has not authorised the user", authority.ErrCredential},
	"11":  {"The message is too big", authority.ErrRefused},
	"12":  {"DGI does not take the certificate", authority.ErrCredential},
	"13":  {"DGI has not processed it yet", authority.ErrPending},
	"99":  {"DGI has not processed it yet", authority.ErrPending},
	"101": {"DGI's security check failed", authority.ErrCredential},
	"103": {"DGI does not count the company among the electronic issuers", authority.ErrSeries},
	"105": {"DGI has not processed it yet", authority.ErrPending},
	"111": {"The envelope's number is too long", authority.ErrRefused},
}

// refusal is an error of the service. Codes 201 to 227 say at which stage of its
// certification at DGI the company is: only the company can go on from there.
func refusal(e serviceError) error {
	code := strings.TrimSpace(e.Code)
	known := serviceErrors[code]
	if len(code) == 3 && code >= "201" && code <= "227" {
		known.text, known.meaning = "The company has not finished its certification at DGI", authority.ErrSeries
	}
	return authority.Said(code, cmp.Or(joined(e.Text, e.Detail), known.text,
		"DGI answered with an error that is not known"), known.meaning)
}

// badTokens are errors about IdReceptor and Token themselves: the envelope is asked for
// by the numbers of its documents instead.
var badTokens = map[string]bool{"1": true, "2": true, "3": true, "4": true}

// envelopeReasons are those of a rejected envelope that do not refuse what is in it
// (MSG19, table of envelope rejections). The others (S01, S04, S05, S07) are about its
// content: no document in it was received.
var envelopeReasons = map[string]error{
	"S02":        authority.ErrCredential, // RUC of envelope, certificate and documents differ
	"S03":        authority.ErrCredential, // certificate invalid
	"S06":        authority.ErrCredential, // the documents' certificate is another
	codeRepeated: authority.ErrPending,
}

// notReceived is what a refusal of an envelope's content means for what is in it. The one
// at fault among several is found by sending each alone (Split).
func notReceived(documents int) string {
	if documents > 1 {
		return fmt.Sprintf(". DGI received none of the %d documents of this envelope; each goes again in one of its own, "+
			"as it was signed", documents)
	}
	return ". DGI did not receive the document: correct what it names and issue the invoice again; where nothing is " +
		"wrong with it, ask the operator of this service"
}

// refusedEnvelope is the error of an envelope with so many documents that DGI rejected.
func refusedEnvelope(reasons []reason, documents int) error {
	meaning, text := authority.ErrRefused, make([]string, 0, len(reasons))
	code := ""
	for _, m := range messages(reasons) {
		if code == "" || envelopeReasons[m.Code] != nil && envelopeReasons[code] == nil {
			code = m.Code
			meaning = cmp.Or(envelopeReasons[m.Code], authority.ErrRefused)
		}
		text = append(text, joined(m.Code, m.Text))
	}
	if code == "" {
		return authority.Said("BS", "DGI rejected the envelope and gave no reason"+notReceived(documents),
			authority.ErrRefused)
	}
	all := strings.TrimPrefix(strings.Join(text, "; "), code+": ")
	if errors.Is(meaning, authority.ErrRefused) {
		all += notReceived(documents)
	}
	return authority.Said(code, all, meaning)
}
