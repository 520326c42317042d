package e2e

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// firstRelease is a data folder of the first release, and what that answered (testdata/first-release/README.md).
type firstRelease struct {
	RevokedKey string `json:"revoked_key"`
	Access     struct {
		Email, Password string
		Company         string `json:"id_company"`
		Key             string `json:"api_key"`
		Others          map[string]struct {
			Company string `json:"id_company"`
			Key     string `json:"api_key"`
		}
	}
	Reads []struct {
		Path   string
		As     string // a country, or account
		Status int
		JSON   any
		SHA256 string
	}
}

func TestADataFolderOfTheFirstReleaseGoesOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := unpackFirstRelease(t, dir)
	p := serve(t, dir, unlimited...)
	companies := map[string]company{"AR": {client: client{base: p.base, key: old.Access.Key}, id: old.Access.Company}}
	for code, c := range old.Access.Others {
		companies[code] = company{client: client{base: p.base, key: c.Key}, id: c.Company}
	}
	account := login(t, p.base, old.Access.Email, old.Access.Password)
	for _, r := range old.Reads {
		caller := account
		if c, is := companies[r.As]; is {
			caller = c.client
		}
		a := caller.want(t, r.Status, http.MethodGet, r.Path, nil)
		if r.SHA256 != "" {
			sameFile(t, r.As, r.Path, r.SHA256, a)
			continue
		}
		if r.As == "UY" && strings.HasSuffix(r.Path, "/daily-reports") {
			continue // days have ended since: reportsOn looks at it
		}
		for _, fault := range lacking(r.JSON, decode[any](t, a), "") {
			t.Errorf("%s: %s", r.Path, fault)
		}
	}
	client{base: p.base, key: old.RevokedKey}.want(t, http.StatusUnauthorized, http.MethodGet, "/api/invoices", nil)

	reportsOn(t, companies["UY"])
	issuesNext(t, dir, companies)
	p.stop(t)
	said := succeed(t, "verify", "--data", dir)
	if n := strings.Count(said, "an earlier version of Folio wrote it in another form"); n == 0 {
		t.Errorf("verify does not say what was written in another form:\n%s", said)
	}
	for _, r := range old.Reads {
		if id := path.Base(r.Path); strings.HasPrefix(r.Path, "/api/invoices/") && len(id) == 26 {
			if said := succeed(t, "history", "--data", dir, id); !strings.Contains(said, "InvoiceCreated") {
				t.Errorf("the history of %s is %s", id, said)
			}
			break
		}
	}
}

// reportsOn wants the report of the day on which the folder was made: the first release had not sent it, for the day
// had not ended. It states what that release issued: three documents that were accepted and one in process; one that
// was rejected is annulled.
func reportsOn(t *testing.T, uruguay company) {
	t.Helper()
	const made = "2026-11-29"
	eventually(t, verdictLimit, "the report of "+made+" is accepted", func() (string, bool) {
		reports := uruguay.reports(t)
		return fmt.Sprintf("%+v", reports), slices.ContainsFunc(reports, func(r report) bool {
			return r.Date == made && r.Status == "Accepted" && r.Sequence == 1 && r.Issued == 4 && r.Annulled == 1
		})
	})
}

// issuesNext issues under the numbers that come next. Certificates are uploaded anew, since those of the folder expire;
// the ranges of boletas and e-Tickets do not.
func issuesNext(t *testing.T, dir string, companies map[string]company) {
	t.Helper()
	argentina := companies["AR"]
	argentina.cuit = get[struct {
		TaxIdentifier string `json:"tax_identifier"`
	}](t, argentina.client, "/api/companies/"+argentina.id).TaxIdentifier
	certifyAgain(t, dir, "ar", argentina)
	for _, c := range []struct {
		country, number string
		body            map[string]any
	}{
		{"AR", "0001-00000005", body("FCB", 1, "after the upgrade")},
		{"AR", "0002-00000002", body("FCB", 2, "after the upgrade")},
		{"CL", "0000-00000002", simple("BOL", "CLP", "iva19", 19, 1000, "66666666-6")},
		{"UY", "0000-00000002", simple("TIC", "UYU", "iva22", 22, 1000, "")},
	} {
		got := companies[c.country].issue(t, c.body)
		if got.Number == nil || *got.Number != c.number {
			t.Errorf("%s: %s, want number %s", c.country, got, c.number)
		}
	}
}

// certifyAgain uploads a new certificate; its warnings, if any, are not of interest.
func certifyAgain(t *testing.T, dir, nation string, c company) {
	t.Helper()
	form, kind := multipartForm(t, certificateFields(certificateDays), "certificate",
		certificate(t, dir, nation, c.cuit, certificateDays))
	c.with("Content-Type", kind).want(t, http.StatusCreated, http.MethodPost, c.path("/certificates"), form)
}

// simple is a document of one line to a consumer.
func simple(kind, currency, tax string, rate, net int, recipient string) map[string]any {
	to := map[string]any{"legal_name": "", "document_type": "", "document_number": ""}
	price := net
	if recipient != "" { // Chile: boletas have their IVA in the price
		to = map[string]any{"legal_name": "Ana Soto", "document_type": "RUT", "document_number": recipient}
		price += net * rate / 100
	}
	return map[string]any{"invoice_type": kind, "invoice_date": today + " 00:00:00", "concept": "1",
		"external_reference": "after the upgrade", "recipient": to,
		"currency":       map[string]any{"code": currency, "exchange_rate": 1},
		"payment_method": map[string]any{"code": "CON", "description": "Contado"},
		"items": []map[string]any{{"quantity": 1, "code_unit_of_measure": "u", "unit_price": price, "discount_amount": 0,
			"description": "Pan", "code": map[string]any{"type": "sku", "value": "P"},
			"taxes": []map[string]any{{"type": tax, "rate": rate, "amount": net * rate / 100}}}},
		"totals": map[string]any{"sub_total": price, "discount": 0, "total": net + net*rate/100,
			"taxes": []map[string]any{{"type": tax, "base_amount": net, "amount": net * rate / 100}}}}
}

// sameFile wants signed documents byte for byte. A printed form is laid out by the release that
// prints it: those of Chile and Uruguay have changed.
func sameFile(t *testing.T, country, at, want string, got answer) {
	t.Helper()
	sum := sha256.Sum256(got.body)
	if hex.EncodeToString(sum[:]) == want {
		return
	}
	if country == "AR" || !strings.Contains(at, "/download-pdf/") {
		t.Errorf("%s is another file", at)
	} else if err := isPDF(got); err != nil {
		t.Errorf("%s: %v", at, err)
	}
}

// moving are the members that change while a service works, or with the day: a range of facturas is over six months
// after its authorisation.
var moving = regexp.MustCompile(`\.(next_try|next_attempt_at|attempts|last_used_on|expired|remaining)$`)

// lacking is what of an old answer a new one does not say. Members that were added are no fault; what stood below
// fields of a fiscal profile stands beside them now.
func lacking(old, now any, at string) (faults []string) {
	switch old := old.(type) {
	case map[string]any:
		now, is := now.(map[string]any)
		if !is {
			return []string{at + " is no object"}
		}
		if fields, is := old["fields"].(map[string]any); is && (at == "" || strings.HasSuffix(at, "fiscal_profile")) {
			old = maps.Clone(old)
			delete(old, "fields")
			maps.Copy(old, fields)
		}
		for name, member := range old {
			faults = append(faults, lacking(member, now[name], at+"."+name)...)
		}
		return faults
	case []any:
		now, is := now.([]any)
		if moving.MatchString(at) {
			return nil
		}
		if !is || len(now) != len(old) {
			return []string{fmt.Sprintf("%s has %d elements, not %d", at, len(now), len(old))}
		}
		for i := range old {
			faults = append(faults, lacking(old[i], now[i], fmt.Sprintf("%s[%d]", at, i))...)
		}
		return faults
	}
	if moving.MatchString(at) || reflect.DeepEqual(old, now) {
		return nil
	}
	return []string{fmt.Sprintf("%s was %v and is %v", at, old, now)}
}

// unpackFirstRelease makes the data folder and reads what the first release answered from it.
func unpackFirstRelease(t *testing.T, dir string) (old firstRelease) {
	t.Helper()
	const home = "testdata/first-release/"
	reads := unzipped(t, home+"reads.json.gz")
	if err := json.NewDecoder(reads).Decode(&old); err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(unzipped(t, home+"data.tar.gz"))
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return old
		}
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(name, 0o700)
		} else {
			var content []byte
			if content, err = io.ReadAll(archive); err == nil {
				err = os.WriteFile(name, content, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func unzipped(t *testing.T, name string) io.Reader {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}
