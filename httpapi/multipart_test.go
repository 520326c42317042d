package httpapi

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"folio/fault"
)

const formType = `multipart/form-data; boundary=XX`

// formBody joins parts, each "headers\n\ncontent".
func formBody(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		head, content, _ := strings.Cut(p, "\n\n")
		b.WriteString("--XX\r\nContent-Disposition: form-data; " + strings.ReplaceAll(head, "\n", "\r\n") + "\r\n\r\n" +
			content + "\r\n")
	}
	return b.String() + "--XX--\r\n"
}

func readForm(body io.Reader, contentType string, limit int64) (*Form, error) {
	r := httptest.NewRequest("POST", "/", body)
	r.ContentLength = -1
	r.Header.Set("Content-Type", contentType)
	return ReadForm(httptest.NewRecorder(), r, limit)
}

func TestFormsThatCannotBeRead(t *testing.T) {
	good := formBody("name=\"a\"\n\nx")
	for _, c := range []struct {
		name, contentType, body string
		want                    fault.Code
	}{
		{"JSON", "application/json", "{}", fault.WrongType},
		{"another multipart", "multipart/mixed; boundary=XX", good, fault.WrongType},
		{"no boundary", "multipart/form-data", good, fault.WrongType},
		{"no content type", "", good, fault.WrongType},
		{"another boundary", "multipart/form-data; boundary=YY", good, fault.Unparsable},
		{"nothing", formType, "", fault.Unparsable},
		{"cut off in the content", formType, good[:len(good)-12], fault.Unparsable},
		{"cut off before the last boundary's end", formType, good[:len(good)-4], fault.Unparsable},
		{"cut off in the headers", formType, good[:20], fault.Unparsable},
		{"a part without a name", formType, formBody("filename=\"f\"\n\nx"), fault.Unparsable},
		{"a name that is not UTF-8", formType, formBody("name=\"\xff\"\n\nx"), fault.Unparsable},
		{"text that is not UTF-8", formType, formBody("name=\"a\"\n\n\xff"), fault.Unparsable},
		{"broken headers", formType, "--XX\r\nno header\r\n\r\nx\r\n--XX--\r\n", fault.Unparsable},
		{"too many parts", formType, formBody(strings.Split(strings.Repeat("name=\"a\"\n\nx|", 33), "|")[:33]...),
			fault.TooLarge},
		{"too large", formType, formBody("name=\"a\"; filename=\"f\"\n\n" + strings.Repeat("x", 2000)), fault.TooLarge},
		{"too large in headers", formType, "--XX\r\n" + strings.Repeat("A: b\r\n", 400), fault.TooLarge},
	} {
		_, err := readForm(strings.NewReader(c.body), c.contentType, 1000)
		if f := fault.As(err); f == nil || f.Code != c.want {
			if c.name == "too many parts" {
				_, err = readForm(strings.NewReader(c.body), c.contentType, 10_000)
				f = fault.As(err)
			}
			if f == nil || f.Code != c.want {
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			}
		}
	}
	if _, err := readForm(&endless{}, formType, 1000); fault.As(err) == nil || fault.As(err).Code != fault.TooLarge {
		t.Errorf("an endless form: %v", err)
	}
	r := httptest.NewRequest("POST", "/", strings.NewReader(good))
	r.ContentLength = 1001
	r.Header.Set("Content-Type", formType)
	if _, err := ReadForm(httptest.NewRecorder(), r, 1000); fault.As(err) == nil || fault.As(err).Code != fault.TooLarge {
		t.Errorf("a length over the limit: %v", err)
	}
}

func TestFormFields(t *testing.T) {
	const file = "name=\"certificate\"; filename=\"../../my.pfx\"\nContent-Type: application/x-pkcs12\n\n\x30\xff"
	for _, c := range []struct {
		name  string
		parts []string
		want  []string
	}{
		{"all right", []string{file, "name=\"from_date\"\n\n2024-01-01", "name=\"password\"\n\nñ p"}, nil},
		{"all missing", []string{}, []string{"certificate REQUIRED", "from_date REQUIRED", "password REQUIRED"}},
		{"a file twice", []string{file, file, "name=\"from_date\"\n\n2024-01-01", "name=\"password\"\n\np"},
			[]string{"certificate REPEATED"}},
		{"an empty file", []string{"name=\"certificate\"; filename=\"f\"\n\n", "name=\"from_date\"\n\n2024-01-01",
			"name=\"password\"\n\np"}, []string{"certificate REQUIRED"}},
		{"text for the file, a file for text", []string{"name=\"certificate\"\n\nx", "name=\"from_date\"\n\n01/02/2024",
			"name=\"password\"; filename=\"p\"\n\np"},
			[]string{"certificate FILE_EXPECTED", "from_date NOT_A_DATE", "password TEXT_EXPECTED"}},
		{"an unknown part", []string{file, "name=\"from_date\"\n\n2024-01-01", "name=\"password\"\n\np",
			"name=\"passwort\"\n\np"}, []string{"passwort UNKNOWN_FIELD"}},
	} {
		f, err := readForm(strings.NewReader(formBody(c.parts...)), formType, MaxCertificate)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := f.File("certificate", Required)
		f.Date("from_date", Required)
		password := f.Text("password", Required)
		if list := codes(f.Done()); !same(list, c.want) {
			t.Errorf("%s: %v, want %v", c.name, list, c.want)
		}
		if c.want == nil && (string(got.Data) != "\x30\xff" || got.Name != "my.pfx" || password != "ñ p") {
			t.Errorf("%s: file %q of %d bytes, password %q", c.name, got.Name, len(got.Data), password)
		}
	}
}

func FuzzForm(f *testing.F) {
	f.Add(formBody("name=\"a\"\n\nx", "name=\"f\"; filename=\"x\"\n\n\x00\xff"))
	f.Add("--XX\r\n\r\n--XX--")
	f.Fuzz(func(t *testing.T, body string) {
		form, err := readForm(strings.NewReader(body), formType, 4096)
		if err != nil {
			if fault.As(err) == nil {
				t.Fatalf("no fault: %v", err)
			}
			return
		}
		form.Text("a", Required)
		form.File("f", Required)
		if err := form.Done(); err != nil && fault.As(err).Code != fault.Invalid {
			t.Fatal(err)
		}
	})
}
