package e2e

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"
)

func badCompanies(bearer client) []refusal {
	one := func(name string, change func(b map[string]any), faults string) refusal {
		b := companyBody(cuit(5))
		change(b)
		return refusal{"a company with " + name, bearer, http.MethodPost, "/api/companies", b, 422, faults}
	}
	key := func(name string, body any, status int, faults string) refusal {
		return refusal{"a key for " + name, bearer, http.MethodPost, "/api/companies/apikey", body, status, faults}
	}
	return []refusal{
		{"a company of nothing", bearer, http.MethodPost, "/api/companies", map[string]any{}, 422,
			"legal_name tax_identifier tax_identifier_name id_currency"},
		one("a wrong check digit", func(b map[string]any) { b["tax_identifier"] = "30712345670" }, "tax_identifier"),
		one("an identifier of words", func(b map[string]any) { b["tax_identifier"] = "no lo sé" }, "tax_identifier"),
		one("an unknown identifier", func(b map[string]any) { b["tax_identifier_name"] = "VAT" }, "tax_identifier_name"),
		one("an unknown currency", func(b map[string]any) { b["id_currency"] = 99 }, "id_currency"),
		one("the currency as text", func(b map[string]any) { b["id_currency"] = "ARS" }, "id_currency"),
		one("another country", func(b map[string]any) { b["country"] = "CL" }, "country"),
		one("an impossible date", func(b map[string]any) { b["start_activities_date"] = "2015-02-29" },
			"start_activities_date"),
		one("no name", func(b map[string]any) { b["legal_name"] = "  " }, "legal_name"),
		one("a long name", func(b map[string]any) { b["legal_name"] = strings.Repeat("x", 201) }, "legal_name"),
		one("an id of its own", func(b map[string]any) { b["id_company"] = "mine" }, "id_company"),
		key("nobody", map[string]any{}, 422, "id_company"),
		key("a number that is none", map[string]any{"id_company": 17}, 404, ""),
		key("an object", map[string]any{"id_company": map[string]any{}}, 422, "id_company"),
		key("an unknown company", map[string]any{"id_company": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}, 404, ""),
		key("a path", map[string]any{"id_company": "../" + strings.Repeat("x", 50)}, 404, ""),
	}
}

func badUploads(t *testing.T, c company, dir string) []refusal {
	t.Helper()
	pfx := certificate(t, dir, "ar", c.cuit, 100)
	upload := func(name, path string, fields map[string]string, part string, content []byte, status int,
		faults string) refusal {
		form, kind := multipartForm(t, fields, part, content)
		return refusal{name, c.with("Content-Type", kind), http.MethodPost, c.path(path), form, status, faults}
	}
	certify := func(name string, change func(map[string]string), content []byte, faults string) refusal {
		fields := certificateFields(100)
		change(fields)
		return upload("a certificate "+name, "/certificates", fields, "certificate", content, 422, faults)
	}
	picture := func(name string, content []byte, faults string) refusal {
		return upload("a logo that is "+name, "/logo", nil, "logo", content, 422, faults)
	}
	none := func(map[string]string) {}
	plain := c
	plain.client = c.with("Content-Type", "multipart/form-data; boundary=x")
	png := logo(t)
	return []refusal{
		certify("with a wrong password", func(f map[string]string) { f["password"] = "not-" + certificatePassword }, pfx,
			"password"),
		certify("without a password", func(f map[string]string) { delete(f, "password") }, pfx, "password"),
		certify("that has expired", expiredFields, certificate(t, dir, "ar", c.cuit, -3), "certificate"),
		certify("of other dates", func(f map[string]string) { f["expiration_date"] = "2050-01-01" }, pfx, "expiration_date"),
		certify("of no environment", func(f map[string]string) { f["environment"] = "Staging" }, pfx, "environment"),
		certify("of a date in words", func(f map[string]string) { f["from_date"] = "hoy" }, pfx, "from_date"),
		certify("with a field too many", func(f map[string]string) { f["alias"] = "x" }, pfx, "alias"),
		certify("of noise", none, bytes.Repeat([]byte("noise"), 100), "certificate"),
		certify("of nothing", none, nil, "certificate"),
		certify("cut in half", none, pfx[:len(pfx)/2], "certificate"),
		certify("of 70 KiB", none, bytes.Repeat([]byte("x"), 70<<10), "certificate"),
		upload("a certificate of a megabyte", "/certificates", certificateFields(100), "certificate", make([]byte, 1<<20),
			413, ""),
		upload("a certificate under another name", "/certificates", certificateFields(100), "file", pfx, 422,
			"certificate file"),
		{"a certificate as JSON", c.client, http.MethodPost, c.path("/certificates"), certificateFields(100), 415, ""},
		{"a form without its last boundary", plain.client, http.MethodPost, c.path("/logo"),
			[]byte("--x\r\nContent-Disposition: form-data; name=\"logo\"; filename=\"a\"\r\n\r\nabc"), 400, ""},
		{"a form without parts", plain.client, http.MethodPost, c.path("/logo"), []byte("--x--\r\n"), 422, "logo"},
		{"a form of noise", plain.client, http.MethodPost, c.path("/logo"), []byte("noise"), 400, ""},
		{"a form whose text is not UTF-8", plain.client, http.MethodPost, c.path("/certificates"),
			[]byte("--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\xff\r\n--x--\r\n"), 400, ""},
		picture("cut short", png[:len(png)/2], "logo"),
		picture("damaged", bytes.Replace(png, []byte("IDAT"), []byte("IDAX"), 1), "logo"),
		picture("text", []byte("not a picture"), "logo"),
		picture("SVG", []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), "logo"),
		picture("of four thousand million pixels", bomb(), "logo"),
		picture("nothing", nil, "logo"),
		upload("a logo of a megabyte", "/logo", nil, "logo", make([]byte, 1<<20), 413, ""),
	}
}

// expiredFields are the dates of a certificate that ended three days ago.
func expiredFields(f map[string]string) {
	until := time.Now().UTC().AddDate(0, 0, -3)
	maps.Copy(f, map[string]string{"from_date": until.AddDate(-2, 0, 0).Format(time.DateOnly),
		"expiration_date": until.Format(time.DateOnly)})
}

// bomb is the head of a PNG that claims 65,000 by 65,000 points.
func bomb() []byte {
	head := binary.BigEndian.AppendUint32([]byte("IHDR"), 65_000)
	head = append(binary.BigEndian.AppendUint32(head, 65_000), 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), head...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(head))
}
