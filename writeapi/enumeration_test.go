package writeapi_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"folio/country"
	"folio/country/ar"

	"github.com/oklog/ulid/v2"
)

// lettered are Argentina's rules with numbering files like "A 1 100", for factura A, or
// "A 1 100 Testing".
type lettered struct{ ar.Rules }

func (lettered) LastDay(f country.RangeFile) string { return f.ExpiresOn }
func (lettered) NoticeThreshold(int) int64          { return 20 }
func (lettered) ParseRange(file []byte, _ country.Trust) (f country.RangeFile, err error) {
	f.TaxIdentifier, f.OfficialCode, f.Authorization = cuit, 1, "NA"
	n, err := fmt.Sscanf(string(file)+" ", "%s %d %d %s", &f.Series, &f.From, &f.To, &f.Environment)
	if n >= 3 {
		err = nil
	}
	return f, err
}

func (w *world) enumerate(s shop, file string) answer {
	return w.upload("/api/companies/"+s.id+"/enumeration/upload",
		[]part{{"id_document_type", "", "1"}, {"file", "f", file}}, s.key)
}

func TestNumbersBelongToOneCompanyOfATaxpayer(t *testing.T) {
	w := newWorldOf(t, lettered{})
	a, b := w.company(), w.company()
	first := w.enumerate(a, "A 1 100").want(201).text("id")
	sealed := len(w.secrets)
	if again := w.enumerate(a, "A 1 100").want(200).text("id"); again != first {
		t.Errorf("the same file again is range %s, want %s", again, first)
	}
	if again := w.enumerate(a, "A 1 100 ").want(200).text("id"); again != first {
		t.Errorf("the same authorisation in another copy is range %s, want %s", again, first)
	}
	if len(w.secrets) != sealed {
		t.Errorf("a repetition left %d secrets behind", len(w.secrets)-sealed)
	}
	for ref := range w.secrets { // as after a lost vault: the file comes back with its upload
		if strings.Contains(ref, first) {
			delete(w.secrets, ref)
		}
	}
	w.enumerate(a, "A 1 100").want(200)
	if len(w.secrets) != sealed {
		t.Error("the lost file did not come back")
	}
	over := w.enumerate(a, "A 100 200")
	over.fails(409, "RANGE_OVERLAPS")
	if text := over.Body.String(); !strings.Contains(text, first) || !strings.Contains(text, "A 1 to 100") {
		t.Errorf("the range in the way is not named: %s", text)
	}
	w.enumerate(a, "B 1 100").want(201)
	w.enumerate(b, "A 1 100").fails(409, "RANGE_OF_ANOTHER_COMPANY")
	w.enumerate(b, "A 50 60").fails(409, "RANGE_OF_ANOTHER_COMPANY")
	w.enumerate(b, "A 101 200").want(201) // what the first company's series refused claims nothing
	w.enumerate(a, "A 101 200").fails(409, "RANGE_OF_ANOTHER_COMPANY")
}

func TestACrashBetweenClaimAndUploadIsPutRightByUploadingAgain(t *testing.T) {
	w := newWorldOf(t, lettered{})
	a := w.company()
	w.log.hook(func(stream string) error {
		if strings.HasPrefix(stream, "numbering-") {
			return errors.New("the process is dead")
		}
		return nil
	})
	if got := w.enumerate(a, "A 1 100"); got.Code < 500 {
		t.Fatalf("the upload that a crash cut off: %d", got.Code)
	}
	w.log.hook(nil)
	w.enumerate(a, "A 1 100").want(201)
	if claims := len(w.log.Stream("taxpayer-AR-" + cuit)); claims != 1 {
		t.Errorf("%d claims, want the one from before the crash", claims)
	}
}

func TestAFileOfTheOtherSystemOfTheAuthorityIsRefused(t *testing.T) {
	w := newWorldOf(t, lettered{})
	s := w.company()
	if got := w.enumerate(s, "A 1 100 Testing").want(201).text("environment"); got != "Testing" {
		t.Errorf("before there is a certificate the range is of %s", got)
	}
	w.certified(nil)
	w.upload("/api/companies/"+s.id+"/certificates", certificateForm(), s.key).want(201)
	w.enumerate(s, "A 101 200 Testing").fails(422, "VALIDATION_FAILED", "file OTHER_ENVIRONMENT")
	w.enumerate(s, "A 101 200 Production").want(201)
	w.enumerate(s, "A 201 300").want(201)
}

// A range's id leads to its series, shown or not: no series of another document type or
// environment is looked at.
func TestTheStartOfARangeIsSetInItsSeriesAlone(t *testing.T) {
	for name, hidden := range map[string]bool{"shown": false, "not shown yet": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorldOf(t, lettered{})
			w.hidden = hidden
			s, other := w.company(), w.company()
			id := w.enumerate(s, "A 1 100").want(201).text("id")
			configure := func(s shop, id string) answer {
				return w.call("PUT", "/api/companies/"+s.id+"/enumeration/"+id+"/config",
					`{"enumeration_starts_from":7}`, s.key)
			}
			configure(other, id).fails(404, "RANGE_NOT_FOUND")
			configure(s, ulid.Make().String()).fails(404, "RANGE_NOT_FOUND")
			w.log.read()
			if got := configure(s, strings.ToLower(id)).want(200).text("id"); got != id {
				t.Errorf("range %s was configured, want %s", got, id)
			}
			for _, stream := range w.log.read() {
				if strings.HasPrefix(stream, "numbering-") && stream != "numbering-"+s.id+"-Production-1-0" {
					t.Errorf("%s was read", stream)
				}
			}
		})
	}
}

// regime is a numbering file for companies of one regime.
type regime struct{ lettered }

func (regime) ProfileFields() []country.ProfileField {
	return []country.ProfileField{{Name: "regime", Check: func(string) error { return nil }}}
}

func (r regime) ParseRange(file []byte, trust country.Trust) (country.RangeFile, error) {
	f, err := r.lettered.ParseRange(file, trust)
	f.Profile = map[string]string{"regime": strings.TrimSpace(f.Environment)}
	f.Environment = ""
	return f, err
}

func TestAFileIsForTheCompanysRegime(t *testing.T) {
	w := newWorldOf(t, regime{})
	s := w.company()
	w.enumerate(s, "A 1 100 small").fails(422, "VALIDATION_FAILED", "file OTHER_PROFILE")
	w.enumerate(s, "A 1 100").want(201)
	w.call("PUT", "/api/companies/"+s.id+"/fiscal-profile", `{"regime":"small"}`, s.key).want(200)
	w.enumerate(s, "A 101 200").fails(422, "VALIDATION_FAILED", "file OTHER_PROFILE")
	w.enumerate(s, "A 101 200 small").want(201)
}
