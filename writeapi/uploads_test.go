package writeapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"mime/multipart"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"folio/fault"
	"folio/writeapi"
)

// part is one of a form; File makes it a file.
type part struct{ Name, File, Content string }

// upload posts a form.
func (w *world) upload(path string, parts []part, headers ...string) answer {
	w.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for _, p := range parts {
		var err error
		if p.File == "" {
			err = form.WriteField(p.Name, p.Content)
		} else if f, e := form.CreateFormFile(p.Name, p.File); e == nil {
			_, err = f.Write([]byte(p.Content))
		}
		check(w.t, err)
	}
	check(w.t, form.Close())
	r := httptest.NewRequest("POST", path, &b)
	r.Header.Set("Content-Type", form.FormDataContentType())
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	w.router.ServeHTTP(rec, r)
	return answer{rec, w.t}
}

func picture(t testing.TB, kind string, side int) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, side*2, side))
	for x := range side {
		img.Set(x, x, color.RGBA{200, 0, 0, 255})
	}
	var b bytes.Buffer
	if kind == "jpeg" {
		check(t, jpeg.Encode(&b, img, nil))
	} else {
		check(t, png.Encode(&b, img))
	}
	return b.String()
}

func TestLogo(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	path := "/api/companies/" + s.id + "/logo"
	for _, kind := range []string{"png", "jpeg"} {
		got := w.upload(path, []part{{"logo", "logo." + kind, picture(t, kind, 40)}}, s.key).want(201)
		v := got.object()
		if fmt.Sprintf("%v×%v", v["width"], v["height"]) != "80×40" || len(got.text("sha256")) != 64 {
			t.Errorf("%s: %s", kind, got.Body)
		}
		if w.secrets[got.text("sha256")] == nil {
			t.Errorf("%s: the file is not in the vault", kind)
		}
		shown := w.call("GET", "/api/companies/"+s.id, "", s.key).want(200).object()["logo"]
		if shown.(map[string]any)["sha256"] != got.text("sha256") {
			t.Errorf("%s: the company shows %v", kind, shown)
		}
	}
	before := len(w.log.Stream("company-" + s.id))
	for _, c := range []struct {
		name  string
		parts []part
		want  string
	}{
		{"no file", []part{}, "logo REQUIRED"},
		{"an empty file", []part{{"logo", "a.png", ""}}, "logo REQUIRED"},
		{"text for a file", []part{{"logo", "", "x"}}, "logo FILE_EXPECTED"},
		{"half a picture", []part{{"logo", "a.png", picture(t, "png", 40)[:60]}}, ""},
		{"a GIF", []part{{"logo", "a.gif", "GIF89a\x01\x00\x01\x00"}}, ""},
		{"a script", []part{{"logo", "a.svg", "<svg onload=alert(1)>"}}, ""},
		{"more than 512 KiB", []part{{"logo", "a.png", strings.Repeat("x", 512<<10+1)}}, "logo TOO_LARGE"},
		{"another part", []part{{"logo", "a.png", picture(t, "png", 4)}, {"color", "", "red"}}, "color UNKNOWN_FIELD"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := w.upload(path, c.parts, s.key)
			a.t = t
			if c.want == "" {
				a.fails(422, "VALIDATION_FAILED")
			} else {
				a.fails(422, "VALIDATION_FAILED", c.want)
			}
		})
	}
	if n := len(w.log.Stream("company-" + s.id)); n != before {
		t.Errorf("%d events of what was refused", n-before)
	}
	w.upload(path, []part{{"logo", "a.png", strings.Repeat("x", 1<<20)}}, s.key).fails(413, "BODY_TOO_LARGE")
	w.upload(path, []part{{"logo", "a.png", "x"}}).fails(401, "API_KEY_REQUIRED")
	w.upload(path, []part{{"logo", "a.png", "x"}}, w.company().key).fails(403, "OTHER_COMPANY")
	w.call("POST", path, `{}`, s.key).fails(415, "FORM_REQUIRED")
}

// day is a moment of the world's year.
func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// certified makes the file "good" with the password "secreto" a certificate.
func (w *world) certified(change func(*writeapi.Certificate)) {
	w.cert = func(pfx []byte, password string) (writeapi.Certificate, error) {
		if password != "secreto" {
			return writeapi.Certificate{}, fault.Field("password", "WRONG_PASSWORD",
				"The password does not open the certificate file.")
		}
		c := writeapi.Certificate{SerialNumber: "4f2a", Subject: "SERIALNUMBER=CUIT " + cuit + ",CN=folio",
			Issuer:        "CN=Computadores,O=AFIP,C=AR",
			TaxIdentifier: cuit, ValidFrom: day("2026-01-01"), ValidTo: day("2028-01-01"), Fingerprint: strings.Repeat("ab", 32),
			Sealed: pfx}
		if change != nil {
			change(&c)
		}
		return c, nil
	}
}

func certificateForm(changes ...string) []part {
	parts := []part{{"from_date", "", "2026-01-01"}, {"expiration_date", "", "2028-01-01"}, {"password", "", "secreto"},
		{"environment", "", "Production"}, {"certificate", "folio.pfx", "key and chain"}}
	for i := 0; i < len(changes); i += 2 {
		for j := range parts {
			if parts[j].Name == changes[i] {
				parts[j].Content = changes[i+1]
			}
		}
	}
	return parts
}

func TestCertificate(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	path := "/api/companies/" + s.id + "/certificates"
	w.certified(nil)
	got := w.upload(path, certificateForm(), s.key).want(201)
	want := map[string]string{"serial_number": "4f2a", "subject": "SERIALNUMBER=CUIT " + cuit + ",CN=folio",
		"issuer":     "CN=Computadores,O=AFIP,C=AR",
		"valid_from": "2026-01-01T00:00:00Z", "valid_to": "2028-01-01T00:00:00Z", "environment": "Production",
		"fingerprint": strings.Repeat("ab", 32), "warnings": "[]"}
	for member, v := range want {
		if fmt.Sprint(got.object()[member]) != v {
			t.Errorf("%s is %v, want %s", member, got.object()[member], v)
		}
	}
	id := got.text("id")
	if len(got.object()) != len(want)+1 || strings.Contains(got.Body.String(), "key and chain") {
		t.Errorf("the answer holds more: %s", got.Body)
	}
	if secret := string(w.secrets["company/"+s.id+"/certificate/"+id]); secret != "key and chain" {
		t.Errorf("the vault holds %q", secret)
	}
	for _, r := range w.log.Stream("company-" + s.id) {
		if strings.Contains(string(r.Raw), "secreto") || strings.Contains(string(r.Raw), "key and chain") {
			t.Errorf("an event holds a secret: %s", r.Raw)
		}
	}
	rows := w.call("GET", path, "", s.key).want(200).object()["data"].([]any)
	if row := rows[0].(map[string]any); row["id"] != id || row["environment"] != "Production" ||
		row["uploaded_at"] == nil {
		t.Errorf("listed: %v", rows)
	}
	company := w.call("GET", "/api/companies/"+s.id, "", s.key).want(200).object()
	if steps := company["pending_steps"].([]any); len(steps) != 0 {
		t.Errorf("pending steps: %v", steps)
	}
	sealed := len(w.secrets)
	for ref := range w.secrets { // as after a lost vault: the key comes back with its upload
		if strings.Contains(ref, "/certificate/") {
			delete(w.secrets, ref)
		}
	}
	if again := w.upload(path, certificateForm(), s.key).want(200).object(); again["id"] != id {
		t.Errorf("the same certificate again is %v, want %v", again["id"], id)
	}
	if len(w.secrets) != sealed {
		t.Errorf("the vault keeps %d secrets, want %d", len(w.secrets), sealed)
	}
	w.upload(path, certificateForm("environment", "testing"), s.key).want(201)
	// Invoices belong to the environment of the newest.
	if v := w.call("POST", "/api/invoices", sample(t), s.key).want(201).object()["environment"]; v != "Testing" {
		t.Errorf("environment is %v", v)
	}
}

func TestCertificatesThatAreRefused(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	path := "/api/companies/" + s.id + "/certificates"
	w.certified(nil)
	for _, c := range []struct {
		name  string
		parts []part
		want  []string
	}{
		{"nothing", []part{{"x", "", ""}}, []string{"from_date REQUIRED", "expiration_date REQUIRED", "environment REQUIRED",
			"certificate REQUIRED", "x UNKNOWN_FIELD"}},
		{"another environment", certificateForm("environment", "Homologation"), []string{"environment NOT_ALLOWED"}},
		{"a wrong password", certificateForm("password", "Secreto"), []string{"password WRONG_PASSWORD"}},
		{"a date that is none", certificateForm("from_date", "01/01/2026"), []string{"from_date NOT_A_DATE"}},
		{"dates that differ by two days", certificateForm("from_date", "2026-01-03", "expiration_date", "2027-12-30"),
			[]string{"from_date DATE_DIFFERS", "expiration_date DATE_DIFFERS"}},
		{"a form that says it is valid and a file that says it expired", certificateForm("expiration_date", "2026-12-31"),
			[]string{"expiration_date DATE_DIFFERS"}},
		{"more than 64 KiB", certificateForm("certificate", strings.Repeat("x", 64<<10+1)),
			[]string{"certificate TOO_LARGE"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := w.upload(path, c.parts, s.key)
			a.t = t
			a.fails(422, "VALIDATION_FAILED", c.want...)
			if strings.Contains(a.Body.String(), "Secreto") {
				t.Errorf("the answer repeats the password: %s", a.Body)
			}
		})
	}
	w.certified(func(c *writeapi.Certificate) { c.ValidTo = day("2026-11-27") })
	w.upload(path, certificateForm("expiration_date", "2026-11-27"), s.key).fails(422, "VALIDATION_FAILED",
		"certificate CERTIFICATE_EXPIRED")
	w.upload(path, certificateForm("expiration_date", "2026-11-28"), s.key).fails(422, "VALIDATION_FAILED",
		"certificate CERTIFICATE_EXPIRED")
	if n := len(w.log.Stream("company-" + s.id)); n != 1 {
		t.Errorf("%d events", n)
	}
	if len(w.secrets) != 0 {
		t.Errorf("%d secrets of what was refused", len(w.secrets))
	}
	w.upload(path, certificateForm()).fails(401, "API_KEY_REQUIRED")
	w.upload(path, certificateForm(), w.company().key).fails(403, "OTHER_COMPANY")
}

func TestWarningsOfACertificate(t *testing.T) {
	w := newWorld(t) // 12:00 of 2026-11-27 in Argentina
	for _, c := range []struct {
		name, environment string
		change            func(*writeapi.Certificate)
		want              []string
	}{
		{"nothing is odd", "Production", nil, nil},
		{"the CUIT of a delegate", "Production", func(c *writeapi.Certificate) { c.TaxIdentifier = "20267565393" },
			[]string{"belongs to CUIT 20267565393"}},
		{"no CUIT at all", "Production", func(c *writeapi.Certificate) { c.TaxIdentifier = "" }, []string{"names no CUIT"}},
		{"ARCA's tests in Production", "Production",
			func(c *writeapi.Certificate) { c.Issuer = "CN=Computadores Test,O=AFIP,C=AR" },
			[]string{"issued for tests, by CN=Computadores Test"}},
		{"ARCA's tests in Testing", "Testing", func(c *writeapi.Certificate) {
			c.Issuer = "CN=Computadores Test,O=AFIP,C=AR"
		}, nil},
		{"a sandbox in Production", "Production", func(c *writeapi.Certificate) {
			c.Issuer = "CN=Folio Sandbox\\, sin " +
				"valor fiscal"
		}, []string{"issued for tests"}},
		{"60 days left", "Production", func(c *writeapi.Certificate) { c.ValidTo = day("2027-01-26").Add(3 * time.Hour) },
			[]string{"expires in 60 days, on 2027-01-26"}},
		{"61 days left", "Production", func(c *writeapi.Certificate) { c.ValidTo = day("2027-01-27").Add(3 * time.Hour) },
			nil},
		{"tonight", "Production", func(c *writeapi.Certificate) { c.ValidTo = day("2026-11-28").Add(2 * time.Hour) },
			[]string{"expires today, on 2026-11-27"}},
		{"tomorrow night", "Production", func(c *writeapi.Certificate) { c.ValidTo = day("2026-11-29").Add(2 * time.Hour) },
			[]string{"expires tomorrow, on 2026-11-28"}},
		{"not yet", "Production", func(c *writeapi.Certificate) { c.ValidFrom = day("2026-12-01") },
			[]string{"not valid before 2026-12-01"}},
		{"everything", "Production", func(c *writeapi.Certificate) {
			c.TaxIdentifier, c.Issuer, c.ValidTo = "20267565393", "CN=Test", day("2026-12-01")
		}, []string{"belongs to", "issued for tests", "expires in 3 days"}},
	} {
		s := w.company()
		w.certified(c.change)
		made, err := w.cert(nil, "secreto")
		check(t, err)
		a := w.upload("/api/companies/"+s.id+"/certificates", certificateForm("environment", c.environment,
			"from_date", made.ValidFrom.Format(time.DateOnly), "expiration_date", made.ValidTo.Format(time.DateOnly)),
			s.key).want(201)
		var got struct{ Warnings []string }
		check(t, json.Unmarshal(a.Body.Bytes(), &got))
		if len(got.Warnings) != len(c.want) || got.Warnings == nil {
			t.Errorf("%s: warnings are %q, want %q", c.name, got.Warnings, c.want)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(got.Warnings[i], want) {
				t.Errorf("%s: warning %q, want %q", c.name, got.Warnings[i], want)
			}
		}
	}
}

func TestArgentinaHasNoNumberingFile(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	w.upload("/api/companies/"+s.id+"/enumeration/upload",
		[]part{{"id_document_type", "", "55"}, {"file", "caf.xml", "<x/>"}}, s.key).
		fails(409, "NUMBERING_BY_AUTHORITY")
	w.call("PUT", "/api/companies/"+s.id+"/enumeration/17/config", `{"enumeration_starts_from":1}`, s.key).fails(409,
		"NUMBERING_BY_AUTHORITY")
}
