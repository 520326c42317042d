package papers_test

import (
	"os"
	"testing"
	"time"

	"folio/countries"
	"folio/country"
	"folio/events"
	"folio/papers"
)

func TestEveryExampleHasAPreview(t *testing.T) {
	at := time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)
	for _, rules := range countries.Rules() {
		for _, x := range rules.Examples(at) {
			number := map[string]string{"AR": "30712345671", "CL": "77111222-6", "UY": "217111220014"}[rules.Code()]
			who := country.Issuer{TaxIdentifier: number, Profile: events.IssuerProfile{LegalName: "Empresa de Prueba",
				TaxIdentifier: number, Address: events.Address{Country: rules.Code(), Address: "Calle 1"}}}
			if rules.Code() == "AR" {
				who.Profile.TaxCondition = "responsable_inscripto"
				if x.Document.Type[len(x.Document.Type)-1] == 'C' {
					who.Profile.TaxCondition = "monotributo"
				}
			}
			x.Document.Issuer = events.Party{DocumentType: rules.IdentifierName(), DocumentNumber: number}
			checked, vs := rules.Check(x.Document, who, at, country.Config{})
			if len(vs) > 0 {
				t.Fatal(vs)
			}
			e := events.InvoiceCreated{Country: rules.Code(), Document: checked.Document, Taxes: checked.Taxes,
				Profile: who.Frozen(checked.Document, rules.Branches())}
			out, err := papers.Maker{Countries: countries.Rules()}.Preview(t.Context(), e, at)
			if err != nil || len(out) == 0 {
				t.Errorf("%s %s: %v", rules.Code(), x.Name, err)
			}
			if dir := os.Getenv("FOLIO_PREVIEWS"); dir != "" {
				_ = os.WriteFile(dir+"/"+rules.Code()+"-"+x.Name+".pdf", out, 0o600)
			}
		}
	}
}
