package cl_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"folio/country"
	"folio/country/cl"
	"folio/fault"
)

// expected is testdata/expected.json: values that another implementation computed.
type expected struct {
	Chile struct {
		IDK      int    `json:"authority_idk"`
		Modulus  string `json:"authority_modulus_b64"`
		Exponent int64  `json:"authority_exponent"`
		CAFs     []struct {
			File, FA, RUT string
			TD            int
			D, H          int64
			Flat          string `json:"da_flat"`
			FRMA          string
			IDK           int
			Modulus       string `json:"rsapk_m"`
			Exponent      string `json:"rsapk_e"`
		}
		TED struct {
			File  string
			SHA1  string `json:"dd_sha1_hex"`
			FRMT  string
			Bytes int
		}
		Expiry map[string]*struct {
			Last  string `json:"last_valid_day"`
			Bad   string `json:"first_invalid_day"`
			Month string `json:"six_calendar_months"`
		}
	}
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func expectations(t testing.TB) expected {
	t.Helper()
	var e expected
	if err := json.Unmarshal(read(t, "expected.json"), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// sandboxKey is the public key of the simulated authority, as a PEM of "RSA PUBLIC KEY".
func sandboxKey(t testing.TB) country.Trust {
	t.Helper()
	e := expectations(t).Chile
	n, err := base64.StdEncoding.DecodeString(e.Modulus)
	if err != nil {
		t.Fatal(err)
	}
	return trustOf(cl.PublicKey{N: new(big.Int).SetBytes(n), E: big.NewInt(e.Exponent)})
}

func trustOf(k cl.PublicKey) country.Trust {
	integer := func(b []byte) []byte {
		if b[0] > 0x7f {
			b = append([]byte{0}, b...)
		}
		return append([]byte{2, byte(len(b))}, b...)
	}
	body := append(integer(k.N.Bytes()), integer(k.E.Bytes())...)
	der := append([]byte{0x30, byte(len(body))}, body...)
	return country.Trust{PEM: [][]byte{pem.EncodeToMemory(&pem.Block{Type: "RSA PUBLIC KEY", Bytes: der})}}
}

func TestSamplesSayWhatTheyShould(t *testing.T) {
	e, trust := expectations(t).Chile, sandboxKey(t)
	if len(e.CAFs) != 3 {
		t.Fatalf("%d samples", len(e.CAFs))
	}
	for _, want := range e.CAFs {
		got, err := cl.Rules{}.ParseRange(read(t, want.File), trust)
		if err != nil {
			t.Errorf("%s: %v", want.File, err)
			continue
		}
		if got.TaxIdentifier != want.RUT || got.OfficialCode != want.TD || got.From != want.D || got.To != want.H ||
			got.IssuedOn != want.FA || got.Authorization != "999" || got.Environment != "" || got.ExpiresOn != "" ||
			got.Series != "" || got.Warnings != nil {
			t.Errorf("%s: %+v", want.File, got)
		}
		last := ""
		if x := e.Expiry[want.File]; x != nil {
			last = x.Last
		}
		if day := (cl.Rules{}).LastDay(got); day != last {
			t.Errorf("%s: last day %s, want %s", want.File, day, last)
		}
		signer, err := cl.OpenCAF(read(t, want.File))
		if err != nil {
			t.Errorf("%s: %v", want.File, err)
			continue
		}
		m, x := base64.StdEncoding.EncodeToString(signer.Key.N.Bytes()),
			base64.StdEncoding.EncodeToString(signer.Key.E.Bytes())
		flat, _ := cl.ToLatin1(`<CAF version="1.0">` + want.Flat + `<FRMA algoritmo="SHA1withRSA">` + want.FRMA +
			`</FRMA></CAF>`)
		if m != want.Modulus || x != want.Exponent || !bytes.Equal(signer.Element, flat) {
			t.Errorf("%s: key %s %s, element %q", want.File, m, x, signer.Element)
		}
	}
}

func TestTheTamperedSampleIsRefused(t *testing.T) {
	_, err := cl.Rules{}.ParseRange(read(t, "cl_caf_33_tampered.xml"), sandboxKey(t))
	f := fault.As(err)
	if f == nil || len(f.Violations) != 1 || f.Violations[0].Path != "file" || f.Violations[0].Code != "CL-RANGE-03" ||
		!strings.Contains(f.Violations[0].Message, "FRMA") {
		t.Fatalf("%v", err)
	}
}

// The same file with other bytes of a text: what people and their editors do to it.
func TestFilesAreReadInAnyEncoding(t *testing.T) {
	raw, trust := read(t, "cl_caf_39_latin1.xml"), sandboxKey(t)
	utf8 := cl.FromLatin1(raw)
	for name, file := range map[string][]byte{
		"as SII writes it":            raw,
		"declared":                    bytes.Replace(raw, []byte(`"1.0"?>`), []byte(`"1.0" encoding="ISO-8859-1"?>`), 1),
		"saved as UTF-8":              []byte(utf8),
		"UTF-8 with BOM":              []byte("\ufeff" + utf8),
		"UTF-8 that claims otherwise": []byte(strings.Replace(utf8, `"1.0"?>`, `"1.0" encoding="ISO-8859-1"?>`, 1)),
		"with Windows line ends":      bytes.ReplaceAll(raw, []byte("\n"), []byte("\r\n")),
		"without declaration":         raw[bytes.IndexByte(raw, '\n')+1:],
	} {
		if _, err := (cl.Rules{}).ParseRange(file, trust); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		signer, err := cl.OpenCAF(file)
		if err != nil || signer.Name != "ALMACÉN ÑANDÚ DE PRUEBA LTDA" {
			t.Errorf("%s: %q, %v", name, signer.Name, err)
		}
	}
}

func TestBadFilesAreRefusedWithTheReason(t *testing.T) {
	good, trust := string(read(t, "cl_caf_33.xml")), sandboxKey(t)
	for name, c := range map[string]struct{ file, code, says string }{
		"nothing":   {"", "CL-RANGE-02", "no whole XML document"},
		"no XML":    {"%PDF-1.4", "CL-RANGE-02", "XML"},
		"too large": {good + strings.Repeat(" ", 64<<10), "CL-RANGE-01", "65536"},
		"a DTD": {strings.Replace(good, "<AUTORIZACION>", `<!DOCTYPE a [<!ENTITY x "y">]><AUTORIZACION>`, 1),
			"CL-RANGE-02", "DTD"},
		"an entity":       {strings.Replace(good, "SPA</RS>", "&xxe;</RS>", 1), "CL-RANGE-02", "entity"},
		"a comment":       {strings.Replace(good, "<TD>", "<!-- x --><TD>", 1), "CL-RANGE-02", "comments"},
		"a processor":     {strings.Replace(good, "<TD>", "<?php x?><TD>", 1), "CL-RANGE-02", "processing"},
		"another root":    {strings.ReplaceAll(good, "AUTORIZACION", "AUTHORISATION"), "CL-RANGE-02", "no CAF"},
		"two roots":       {good + good, "CL-RANGE-02", ""},
		"cut off":         {good[:400], "CL-RANGE-02", "XML"},
		"no type":         {strings.Replace(good, "<TD>33</TD>", "", 1), "CL-RANGE-02", "DA has no TD"},
		"two types":       {strings.Replace(good, "<TD>33</TD>", "<TD>33</TD><TD>34</TD>", 1), "CL-RANGE-02", "two TD"},
		"unknown type":    {strings.Replace(good, "<TD>33</TD>", "<TD>55</TD>", 1), "CL-RANGE-02", `TD: "55"`},
		"bad RUT":         {strings.Replace(good, "77111222-6", "77111222-7", 1), "CL-RANGE-02", "RE: 77111222-7"},
		"backwards":       {strings.Replace(good, "<D>1</D>", "<D>51</D>", 1), "CL-RANGE-02", "51 down to 50"},
		"from zero":       {strings.Replace(good, "<D>1</D>", "<D>0</D>", 1), "CL-RANGE-02", "RNG/D"},
		"eleven digits":   {strings.Replace(good, "<H>50</H>", "<H>10000000000</H>", 1), "CL-RANGE-02", "RNG/H"},
		"no such day":     {strings.Replace(good, "2026-10-05", "2026-02-30", 1), "CL-RANGE-02", "FA"},
		"no key id":       {strings.Replace(good, "<IDK>999</IDK>", "<IDK>x</IDK>", 1), "CL-RANGE-02", "IDK"},
		"other algorithm": {strings.Replace(good, "SHA1withRSA", "MD5withRSA", 1), "CL-RANGE-02", "algorithm"},
		"no private key":  {good[:strings.Index(good, "<RSASK>")] + "</AUTORIZACION>", "CL-RANGE-02", "no RSASK"},
		"broken key":      {strings.Replace(good, "MIIBOwIBAAJB", "MIIBOwIBAAJC", 1), "CL-RANGE-02", "RSASK"},
		"another's key": {strings.Replace(good, privateKey(good), privateKey(string(read(t, "cl_caf_61_expired.xml"))),
			1), "CL-RANGE-02", "another key"},
		"claims to be SII's": {strings.Replace(good, "<IDK>999</IDK>", "<IDK>300</IDK>", 1), "CL-RANGE-03", "key 300"},
		"the trial system's": {strings.Replace(good, "<IDK>999</IDK>", "<IDK>100</IDK>", 1), "CL-RANGE-03", "key 100"},
		"another name":       {strings.Replace(good, "ARAUCARIA", "ARAUCANIA", 1), "CL-RANGE-03", "changed"},
	} {
		_, err := cl.Rules{}.ParseRange([]byte(c.file), trust)
		f := fault.As(err)
		if f == nil || f.Violations[0].Code != c.code || !strings.Contains(f.Violations[0].Message, c.says) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "MIIB") {
			t.Errorf("%s: the private key is in the error", name)
		}
	}
}

func privateKey(file string) string {
	return file[strings.Index(file, "<RSASK>"):strings.Index(file, "</RSASK>")]
}

func TestTrust(t *testing.T) {
	file := read(t, "cl_caf_33.xml")
	r := cl.Rules{}
	if _, err := r.ParseRange(file, country.Trust{}); err == nil {
		t.Error("a file of an unknown authority was taken")
	}
	got, err := r.ParseRange(file, country.Trust{Unsigned: true})
	if err != nil || len(got.Warnings) != 1 {
		t.Errorf("unsigned: %+v, %v", got, err)
	}
	other := sandboxKey(t)
	other.Unsigned = true
	if _, err := r.ParseRange(read(t, "cl_caf_33_tampered.xml"), other); err == nil {
		t.Error("a tampered file passed because unsigned ones may")
	}
	both := country.Trust{PEM: append([][]byte{[]byte("no PEM"), read(t, "keys/cl_caf_33.pem")}, sandboxKey(t).PEM...)}
	if _, err := r.ParseRange(file, both); err != nil {
		t.Errorf("among other keys: %v", err)
	}
}

// SII's own official example and three production invoices were checked with these
// moduli; here their shape is.
func TestThePublishedKeysAreOf512Bits(t *testing.T) {
	for _, idk := range []int{100, 300} {
		file := bytes.Replace(read(t, "cl_caf_33.xml"), []byte("<IDK>999"),
			[]byte("<IDK>"+map[int]string{100: "100", 300: "300"}[idk]), 1)
		if _, err := (cl.Rules{}).ParseRange(file, country.Trust{Unsigned: true}); err == nil {
			t.Errorf("a file that claims key %d passed unverified", idk)
		}
	}
}

func TestLastDayIsSixMonthsByTheCalendar(t *testing.T) {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for range 800 {
		issued := day.Format("2006-01-02")
		last := cl.Rules{}.LastDay(country.RangeFile{OfficialCode: 33, IssuedOn: issued})
		months := day.AddDate(0, 6, 0)
		if months.Day() != day.Day() { // clamped: 31 August ends on 28 February
			months = months.AddDate(0, 0, -months.Day())
		}
		if got, err := time.Parse("2006-01-02", last); err != nil || !got.Equal(months) {
			t.Fatalf("issued %s, last day %s, six months %s", issued, last, months.Format("2006-01-02"))
		}
		day = day.AddDate(0, 0, 1)
	}
	for _, code := range []int{34, 39, 41, 52, 110, 111, 112} {
		if last := (cl.Rules{}).LastDay(country.RangeFile{OfficialCode: code, IssuedOn: "2026-10-05"}); last != "" {
			t.Errorf("%d expires on %s", code, last)
		}
	}
	if last := (cl.Rules{}).LastDay(country.RangeFile{OfficialCode: 33, IssuedOn: "soon"}); last != "" {
		t.Errorf("no date gives %s", last)
	}
}

func TestNoticeThresholds(t *testing.T) {
	for code, want := range map[int]int64{39: 50, 41: 50, 33: 20, 34: 20, 46: 20, 110: 20, 56: 10, 61: 10, 111: 10,
		112: 10, 52: 10} {
		if got := (cl.Rules{}).NoticeThreshold(code); got != want {
			t.Errorf("%d: %d, want %d", code, got, want)
		}
	}
}
