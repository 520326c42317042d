package certificate_test

import (
	"testing"

	"folio/commands/certificate"
	"folio/commands/commandtest"
	"folio/events"
)

func TestEachNoticeIsGivenOnce(t *testing.T) {
	type C = commandtest.Case[certificate.NoticeExpiry]
	given := events.CertificateExpiryNoticed{Company: "c", Certificate: "x", Days: 60}
	commandtest.Run(t, certificate.Decider,
		C{Name: "the first notice is a fact", When: certificate.NoticeExpiry{Company: "c", Certificate: "x", Days: 60},
			Then: []events.Event{given}},
		C{Name: "the same notice again is nothing new", Given: []events.Event{given},
			When: certificate.NoticeExpiry{Company: "c", Certificate: "x", Days: 60}},
		C{Name: "the next one is another fact", Given: []events.Event{given},
			When: certificate.NoticeExpiry{Company: "c", Certificate: "x", Days: 45},
			Then: []events.Event{events.CertificateExpiryNoticed{Company: "c", Certificate: "x", Days: 45}}},
	)
}
