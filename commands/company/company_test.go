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
	_, err := company.Decider.Decide(company.Register{Company: registered}, company.Decider.Fold(registered))
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

func TestARemovedCertificate(t *testing.T) {
	at := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	of := func(id, environment string) events.CertificateUploaded {
		e := certificate(id, environment, "2026-01-01T00:00:00Z", "2028-01-01T00:00:00Z")
		e.Secret = "s-" + id
		return e
	}
	early := certificate("3", "Testing", "2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z")
	one, two, real := of("1", "Testing"), of("2", "Testing"), of("R", "Production")
	removed := func(id, environment string) []events.Event {
		return []events.Event{events.CertificateRemoved{Certificate: id, Environment: environment, Secret: "s-" + id}}
	}
	remove := func(id string, open ...company.Opened) company.Command {
		return company.RemoveCertificate{Certificate: id, Open: open, At: at}
	}
	// Facts of these rows have no time: what came, came before any submission was opened.
	testing, production := company.Opened{Environment: "Testing", At: at},
		company.Opened{Environment: "Production", At: at}
	before := company.Opened{Environment: "Testing", At: time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)}
	commandtest.Run(t, company.Decider,
		row{Name: "one that another took the place of goes", Given: []events.Event{registered, one, two},
			When: remove("1"), Then: removed("1", "Testing")},
		row{Name: "again is nothing new",
			Given: append([]events.Event{registered, one, two}, removed("1", "Testing")...), When: remove("1")},
		row{Name: "the newest one says the environment", Given: []events.Event{registered, one, two},
			When: remove("2"), Err: company.ErrInUse},
		row{Name: "also when it is the only one", Given: []events.Event{registered, one},
			When: remove("1"), Err: company.ErrInUse},
		row{Name: "the one that signs stays while the newest is not valid yet",
			Given: []events.Event{registered, one, two, early}, When: remove("2"), Err: company.ErrInUse},
		row{Name: "and not the one before it", Given: []events.Event{registered, one, two, early},
			When: remove("1"), Then: removed("1", "Testing")},
		row{Name: "the last one of an environment that was left goes", Given: []events.Event{registered, one, real},
			When: remove("1"), Then: removed("1", "Testing")},
		row{Name: "but not while something of it is open", Given: []events.Event{registered, one, real},
			When: remove("1", testing), Err: company.ErrInUse},
		row{Name: "nor one that could not have signed what is open, when it is the last to ask with",
			Given: []events.Event{registered, one, real}, When: remove("1", before), Err: company.ErrInUse},
		row{Name: "what is open elsewhere does not matter", Given: []events.Event{registered, one, real},
			When: remove("1", production), Then: removed("1", "Testing")},
		row{Name: "one that signed nothing of what is open goes", Given: []events.Event{registered, one, two, real},
			When: remove("1", testing), Then: removed("1", "Testing")},
		row{Name: "one that never was", Given: []events.Event{registered, one}, When: remove("9"),
			Err: company.ErrNoCertificate},
		row{Name: "of nobody", When: remove("1"), Err: company.ErrUnknown},
		row{Name: "it makes room", Given: append([]events.Event{registered, one, two}, removed("1", "Testing")...),
			When: company.UploadCertificate{Certificate: real, Most: 2, At: at}, Then: []events.Event{real}},
		row{Name: "a repeat that found it before it was removed does not bring it back",
			Given: append([]events.Event{registered, one, two}, removed("1", "Testing")...),
			When:  company.UploadCertificate{Certificate: one}, Err: company.ErrRemoved},
	)
	s := company.Decider.Fold(registered, one, real, removed("1", "Testing")[0])
	if s.FirstEnvironment() != "Testing" || s.Environment() != "Production" || s.HasCertificate("1") ||
		s.SecretOf("1") != "s-1" {
		t.Errorf("first %q, now %q, has it %v, its key was in %q", s.FirstEnvironment(), s.Environment(),
			s.HasCertificate("1"), s.SecretOf("1"))
	}
}

// What an open submission was signed with is the certificate that signed when it was opened.
func TestTheCertificateOfAnOpenSubmissionStays(t *testing.T) {
	hour := func(h int) time.Time { return time.Date(2026, 6, 1, h, 0, 0, 0, time.UTC) }
	var s company.State
	for h, e := range []events.Event{registered,
		certificate("1", "Testing", "2026-01-01T00:00:00Z", "2028-01-01T00:00:00Z"),
		certificate("2", "Testing", "2026-01-01T00:00:00Z", "2028-01-01T00:00:00Z"),
		certificate("3", "Testing", "2026-01-01T00:00:00Z", "2028-01-01T00:00:00Z")} {
		s = company.Decider.Next(s, e, hour(h))
	}
	for _, c := range []struct {
		opened, certificate string
		refused             bool
	}{{"01:30", "1", true}, {"01:30", "2", false}, {"02:00", "1", false}, {"02:30", "2", true}, {"03:30", "2", false}} {
		opened, err := time.Parse("2006-01-02 15:04", "2026-06-01 "+c.opened)
		if err != nil {
			t.Fatal(err)
		}
		_, err = company.Decider.Decide(company.RemoveCertificate{Certificate: c.certificate, At: hour(12),
			Open: []company.Opened{{Environment: "Testing", At: opened}}}, s)
		var f *fault.Error
		if refused := errors.As(err, &f) && f.Constant == company.ErrInUse.Constant; refused != c.refused {
			t.Errorf("of certificate %s with a submission of %s: %v", c.certificate, c.opened, err)
		}
	}
}
