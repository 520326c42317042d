package verification_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"folio/authority"
	"folio/commands/company"
	"folio/country"
	"folio/events"
	"folio/verification"
)

// asked is a driver, a vault and a keyring in one.
type asked struct {
	answer authority.Verification
	err    error
	wait   bool
	files  error
	open   error
	kept   []string
}

func (a *asked) Verify(ctx context.Context, _ authority.Credential, _ country.Purchase,
	rec authority.Recorder) (authority.Verification, error) {
	if a.wait {
		<-ctx.Done()
		return authority.Verification{}, fmt.Errorf("call http://10.1.2.3/secret: %w", ctx.Err())
	}
	rec(authority.Exchange{Operation: "Ask", Request: []byte("<ask/>"), Answer: []byte("<told/>")})
	return a.answer, a.err
}

func (a *asked) Open(_ context.Context, _ company.State, environment string,
	_ time.Time) (authority.Credential, error) {
	return authority.Credential{Environment: authority.Environment(environment)}, a.open
}

func (a *asked) StoreFile(_ context.Context, content []byte) (string, error) {
	a.kept = append(a.kept, string(content))
	return "sha of " + string(content), a.files
}

func TestHowFarAPurchaseIsVerified(t *testing.T) {
	reason := []events.AuthorityMessage{{Code: "100", Text: "unknown"}}
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	certified := company.State{Certificates: []events.CertificateUploaded{{Environment: "Testing",
		ValidFrom: "2026-01-01T00:00:00Z", ValidTo: "2027-01-01T00:00:00Z"}}}
	ended := company.State{Certificates: []events.CertificateUploaded{{Environment: "Testing",
		ValidFrom: "2025-01-01T00:00:00Z", ValidTo: "2026-01-01T00:00:00Z"}}}
	for _, c := range []struct {
		name    string
		asked   asked
		company company.State
		want    string
		words   string
		calls   int
	}{
		{"confirmed", asked{answer: authority.Verification{Confirmed: true}}, certified, country.Confirmed,
			"was asked and confirms it", 1},
		{"confirmed by a sandbox, which says so",
			asked{answer: authority.Verification{Confirmed: true, Announced: "Simulador"}}, certified, country.Confirmed,
			"authority (Simulador) was", 1},
		{"not confirmed", asked{answer: authority.Verification{Messages: reason}}, certified, country.Refused,
			"does not confirm it: 100: unknown", 1},
		{"the authority's own words", asked{err: &authority.Message{Code: "501", Text: "base de datos",
			Err: authority.ErrNotSent}}, certified, country.Consistent, "failed: 501: base de datos. Send the document again",
			1},
		{"not reached", asked{err: fmt.Errorf("%w: http://10.1.2.3", authority.ErrNotSent)}, certified, country.Consistent,
			"failed: it could not be reached.", 1},
		{"an answer that nobody understands", asked{err: errors.New("<html>")}, certified, country.Consistent,
			"no answer that could be understood", 1},
		{"no answer in time", asked{wait: true}, certified, country.Consistent, "failed: it did not answer in time.", 0},
		{"no certificate", asked{}, company.State{}, country.Consistent, "failed: the company has no valid certificate", 0},
		{"a certificate that ended", asked{}, ended, country.Consistent, "failed: the company has no valid certificate", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verification.Verifier{Credentials: &c.asked, Files: &c.asked, Limit: 50 * time.Millisecond,
				Driver: func(name string, _ authority.Environment) (authority.Verifier, bool) { return &c.asked, name == "arca" }}
			p := country.Purchase{Verification: country.Consistent, Verified: "Its figures agree."}
			got, ok, err := v.Verify(t.Context(), c.company, "arca", p, now)
			if err != nil || !ok || got.Verification != c.want || !strings.Contains(got.Verified, c.words) ||
				len(got.Calls) != c.calls {
				t.Errorf("%+v, %v, %v", got, ok, err)
			}
			if strings.Contains(got.Verified, "10.1.2.3") {
				t.Errorf("an address of ours is told: %s", got.Verified)
			}
			if got.Verification == country.Consistent && !strings.HasPrefix(got.Verified, p.Verified) {
				t.Errorf("what is known is no longer told: %s", got.Verified)
			}
			if _, ok, err := v.Verify(t.Context(), c.company, "sii", p, now); ok || err != nil {
				t.Errorf("an authority that confirms nothing was asked: %v", err)
			}
			c.asked.open = errors.New("the vault is away")
			if _, _, err := v.Verify(t.Context(), c.company, "arca", p, now); (err != nil) != (len(c.company.Certificates) > 0 &&
				c.company.Certificates[0].ValidTo > "2026-12") {
				t.Errorf("a certificate that cannot be read: %v", err)
			}
			c.asked.open = nil
			c.asked.files = errors.New("the vault is away")
			if _, _, err := v.Verify(t.Context(), c.company, "arca", p, now); (err != nil) != (c.calls > 0) {
				t.Errorf("without the vault: %v", err)
			}
		})
	}
}
