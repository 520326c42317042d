package strict

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"folio/fault"
)

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

// limited is a body as a handler reads it.
func limited(body io.Reader, limit int64) io.Reader {
	return http.MaxBytesReader(nil, io.NopCloser(body), limit)
}

// endless is a body of spaces that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestFormsThatCannotBeRead(t *testing.T) {
	good := formBody("name=\"a\"\n\nx")
	for _, c := range []struct {
		name, body string
		want       fault.Code
	}{
		{"another boundary", strings.ReplaceAll(good, "XX", "YY"), fault.Unparsable},
		{"nothing", "", fault.Unparsable},
		{"cut off in the content", good[:len(good)-12], fault.Unparsable},
		{"cut off before the last boundary's end", good[:len(good)-4], fault.Unparsable},
		{"cut off in the headers", good[:20], fault.Unparsable},
		{"a part without a name", formBody("filename=\"f\"\n\nx"), fault.Unparsable},
		{"a name that is not UTF-8", formBody("name=\"\xff\"\n\nx"), fault.Unparsable},
		{"text that is not UTF-8", formBody("name=\"a\"\n\n\xff"), fault.Unparsable},
		{"broken headers", "--XX\r\nno header\r\n\r\nx\r\n--XX--\r\n", fault.Unparsable},
		{"too many parts", formBody(strings.Split(strings.Repeat("name=\"a\"\n\nx|", 33), "|")[:33]...),
			fault.TooLarge},
		{"too large", formBody("name=\"a\"; filename=\"f\"\n\n" + strings.Repeat("x", 2000)), fault.TooLarge},
		{"too large in headers", "--XX\r\n" + strings.Repeat("A: b\r\n", 400), fault.TooLarge},
	} {
		limit := int64(1000)
		if c.name == "too many parts" {
			limit = 10_000
		}
		_, err := ParseForm(limited(strings.NewReader(c.body), limit), "XX")
		if f := fault.As(err); f == nil || f.Code != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := ParseForm(limited(endless{}, 1000), "XX"); fault.As(err) == nil || fault.As(err).Code != fault.TooLarge {
		t.Errorf("an endless form: %v", err)
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
		f, err := ParseForm(strings.NewReader(formBody(c.parts...)), "XX")
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
		form, err := ParseForm(limited(strings.NewReader(body), 4096), "XX")
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
