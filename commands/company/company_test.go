package company_test

import (
	"errors"
	"testing"
	"time"

	"folio/commands/commandtest"
	"folio/commands/company"
	"folio/events"
	"folio/fault"
)

type row = commandtest.Case[company.Command]

var (
	registered = events.CompanyRegistered{Company: "C1", Account: "A1", Country: "AR", LegalName: "Molinos",
		TaxIdentifier: "30500010912"}
	profile = events.FiscalProfile{TaxCondition: "monotributo", Fields: map[string]string{"giro": "x"}}
	logo    = events.LogoUploaded{SHA256: "l1", Width: 10, Height: 20}
)

func certificate(id, environment, from, to string) events.CertificateUploaded {
	return events.CertificateUploaded{Certificate: id, Environment: environment, ValidFrom: from, ValidTo: to,
		Fingerprint: "f-" + id}
}

func TestCompany(t *testing.T) {
	one := certificate("1", "Testing", "2026-01-01T00:00:00Z", "2028-01-01T00:00:00Z")
	two := certificate("2", "Testing", "2026-01-01T00:00:00Z", "2028-01-01T00:00:00Z")
	other := one
	other.Environment = "Production"
	at := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	ends := func(id, day string) events.CertificateUploaded {
		return certificate(id, "Testing", "2026-01-01T00:00:00Z", day)
	}
	commandtest.Run(t, company.Decider,
		row{Name: "a company is registered as the rules accepted it",
			When: company.Register{Company: registered}, Then: []events.Event{registered}},
		row{Name: "a fiscal profile replaces the one before", Given: []events.Event{registered},
			When: company.SetFiscalProfile{Profile: profile}, Then: []events.Event{events.FiscalProfileSet{Profile: profile}}},
		row{Name: "the same profile again is nothing new",
			Given: []events.Event{registered, events.FiscalProfileSet{Profile: profile}},
			When:  company.SetFiscalProfile{Profile: profile}},
		row{Name: "nobody has no profile", When: company.SetFiscalProfile{Profile: profile}, Err: company.ErrUnknown},
		row{Name: "a company moves to another account", Given: []events.Event{registered},
			When: company.Move{Account: "A2"}, Then: []events.Event{events.CompanyMoved{Account: "A2"}}},
		row{Name: "where it is already it need not move",
			Given: []events.Event{registered, events.CompanyMoved{Account: "A2"}},
			When:  company.Move{Account: "A2"}},
		row{Name: "it may come back", Given: []events.Event{registered, events.CompanyMoved{Account: "A2"}},
			When: company.Move{Account: "A1"}, Then: []events.Event{events.CompanyMoved{Account: "A1"}}},
		row{Name: "what is not there does not move", When: company.Move{Account: "A2"}, Err: company.ErrUnknown},
		row{Name: "a logo is for the documents to come", Given: []events.Event{registered},
			When: company.UploadLogo{Logo: logo}, Then: []events.Event{logo}},
		row{Name: "the same logo again is nothing new", Given: []events.Event{registered, logo},
			When: company.UploadLogo{Logo: logo}},
		row{Name: "nobody has no logo", When: company.UploadLogo{Logo: logo}, Err: company.ErrUnknown},
		row{Name: "a certificate is added", Given: []events.Event{registered, one},
			When: company.UploadCertificate{Certificate: two}, Then: []events.Event{two}},
		row{Name: "the newest certificate again is nothing new", Given: []events.Event{registered, one},
			When: company.UploadCertificate{Certificate: one}},
		row{Name: "an older certificate may become the newest again", Given: []events.Event{registered, one, two},
			When: company.UploadCertificate{Certificate: one}, Then: []events.Event{one}},
		row{Name: "one certificate may serve two environments", Given: []events.Event{registered, one},
			When: company.UploadCertificate{Certificate: other}, Then: []events.Event{other}},
		row{Name: "as many certificates as one may have",
			Given: []events.Event{registered, ends("1", "2027-01-01T00:00:00Z"), ends("2", "2027-01-01T00:00:00Z")},
			When:  company.UploadCertificate{Certificate: ends("3", "2028-01-01T00:00:00Z"), Most: 2, At: at},
			Err:   company.ErrTooMany},
		row{Name: "the newest again is nothing new, however many there are",
			Given: []events.Event{registered, ends("1", "2027-01-01T00:00:00Z")},
			When:  company.UploadCertificate{Certificate: ends("1", "2027-01-01T00:00:00Z"), Most: 1, At: at}},
		row{Name: "one that has expired does not count",
			Given: []events.Event{registered, ends("1", "2026-06-01T12:00:00Z"), ends("2", "2027-01-01T00:00:00Z")},
			When:  company.UploadCertificate{Certificate: ends("3", "2028-01-01T00:00:00Z"), Most: 2, At: at},
			Then:  []events.Event{ends("3", "2028-01-01T00:00:00Z")}},
		row{Name: "nobody has no certificate", When: company.UploadCertificate{Certificate: one}, Err: company.ErrUnknown},
	)
}

// A second registration in a company's stream is not of this program, and changes nothing.
func TestTheFirstRegistrationStands(t *testing.T) {
	first := events.CompanyRegistered{Company: "C1", Country: "AR", Account: "A"}
	s := company.Decider.Fold(first, events.CompanyRegistered{Company: "C2", Account: "Z"})
	if s.CompanyRegistered != first {
		t.Errorf("got %+v", s.CompanyRegistered)
	}
}

func TestACompanyIDIsTakenOnce(t *testing.T) {
	_, err := company.Decider.Decide(company.Decider.Fold(registered), company.Register{Company: registered})
	var f *fault.Error
	if !errors.As(err, &f) || f.Constant != "COMPANY_ALREADY_EXISTS" {
		t.Error(err)
	}
}

func TestEnvironmentsFollowFirstAndNewestCertificate(t *testing.T) {
	none := company.Decider.Fold(registered)
	if none.Environment() != "" || none.FirstEnvironment() != "" {
		t.Errorf("%q, %q without a certificate", none.Environment(), none.FirstEnvironment())
	}
	s := company.Decider.Fold(registered, certificate("1", "Testing", "", ""), certificate("2", "Production", "", ""))
	if s.FirstEnvironment() != "Testing" || s.Environment() != "Production" {
		t.Errorf("first %q, newest %q", s.FirstEnvironment(), s.Environment())
	}
}

func TestTheNewestCertificateThatIsValidIsUsed(t *testing.T) {
	s := company.Decider.Fold(registered,
		certificate("old", "Testing", "2025-01-01T00:00:00Z", "2026-06-01T00:00:00Z"),
		certificate("now", "Testing", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"),
		certificate("later", "Testing", "2026-12-01T00:00:00Z", "2028-01-01T00:00:00Z"),
		certificate("broken", "Testing", "yesterday", "tomorrow"),
		certificate("real", "Production", "2025-01-01T00:00:00Z", "2030-01-01T00:00:00Z"))
	for at, want := range map[string]string{
		"2025-03-01T00:00:00Z": "old", "2026-03-01T00:00:00Z": "now", "2026-12-24T00:00:00Z": "later",
		"2026-01-01T00:00:00Z": "now", "2028-01-01T00:00:00Z": "", "2024-01-01T00:00:00Z": "",
	} {
		when, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		c, ok := s.Certificate("Testing", when)
		if ok != (want != "") || c.Certificate != want {
			t.Errorf("%s: %q, want %q", at, c.Certificate, want)
		}
	}
}

// States are cached and shared: folding one further must not change the others.
func TestFoldingOnLeavesEarlierStatesAlone(t *testing.T) {
	base := company.Decider.Fold(registered, certificate("1", "Testing", "", ""))
	left := company.Decider.Evolve(base, certificate("2", "Testing", "", ""))
	right := company.Decider.Evolve(base, certificate("3", "Production", "", ""))
	if len(base.Certificates) != 1 || left.Environment() != "Testing" || right.Environment() != "Production" {
		t.Errorf("%d %q %q", len(base.Certificates), left.Environment(), right.Environment())
	}
}
