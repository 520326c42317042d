package console

import "testing"

// Who looks at the console knows a field by its label: the API's name of it is told only where no field has it.
func TestAMessageNamesFieldsByTheirLabels(t *testing.T) {
	x := &view{used: map[string]field{"date_from": {Label: "Desde"}, "recipient.document_type": {Label: "Tipo"}}}
	for message, want := range map[string]string{
		"no debe ser anterior a date_from: entre los dos no puede haber nada": "no debe ser anterior a “Desde”: entre los dos no puede haber nada",
		"see recipient.document_type.":                                        "see “Tipo”.",
		"see issuer.document_type, or date_to":                                "see issuer.document_type, or date_to",
		"must be one of FCA, NO_SUCH_TYPE":                                    "must be one of FCA, NO_SUCH_TYPE",
	} {
		if got := x.labelled(message); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
