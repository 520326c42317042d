package dgi

import (
	"crypto/x509"
	"encoding/pem"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
)

var noon = time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)

func openNumbers(t testing.TB) *Numbers {
	t.Helper()
	n, err := OpenNumbers(t.TempDir(), func() time.Time { return noon })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The numbers are those of DGI's own files.
func TestTheCheckDigitOfACAEIsThatOfGenuineFiles(t *testing.T) {
	for number, sequence := range map[string]int{"90120000194": 19, "90120000208": 20, "90120000216": 21,
		"90120000224": 22, "90110001945": 194, "90160134272": 13427} {
		if got, ok := caeNumber(number[2:4], sequence); !ok || got != number {
			t.Errorf("%s, want %s", got, number)
		}
	}
}

func TestACAEIsSignedWithTheCertificateThatPEMShows(t *testing.T) {
	n := openNumbers(t)
	block, _ := pem.Decode(n.PEM())
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	for _, old := range []bool{false, true} {
		file, err := n.IssueCAE(CAE{TaxIdentifier: "217111220014", Type: 111, From: 1, To: 100, SHA1: old})
		if err != nil {
			t.Fatal(err)
		}
		read := func(text string) *etree.Element {
			doc := etree.NewDocument()
			if err := doc.ReadFromString(text); err != nil {
				t.Fatal(err)
			}
			return doc.Root()
		}
		check := dsig.NewDefaultValidationContext(&dsig.MemoryX509CertificateStore{Roots: []*x509.Certificate{certificate}})
		check.Clock = dsig.NewFakeClockAt(noon)
		if _, err := check.Validate(read(string(file))); err != nil {
			t.Errorf("SHA-1 %v: %v", old, err)
		}
		if _, err := check.Validate(read(strings.Replace(string(file), "<ns0:HNro>100<", "<ns0:HNro>900<", 1))); err == nil {
			t.Error("a changed file verifies")
		}
	}
}

func TestWhatACAEHolds(t *testing.T) {
	for name, c := range map[string]struct {
		ask  CAE
		want string // a part of it
		fail string
	}{
		"24 months from today in Uruguay": {CAE{Type: 101},
			`<ns0:NA>90260000014</ns0:NA><ns0:FA>2026-11-27</ns0:FA><ns0:FVD>2028-11-27</ns0:FVD></ns0:DA>`, ""},
		"a date and an end of its own": {CAE{Type: 101, Date: noon.AddDate(-1, 0, 0), Expires: noon},
			`<ns0:FA>2025-11-27</ns0:FA><ns0:FVD>2026-11-27</ns0:FVD>`, ""},
		"one that expired was given out before": {CAE{Type: 101, Expires: noon.AddDate(0, 0, -1)},
			`<ns0:FA>2026-11-26</ns0:FA><ns0:FVD>2026-11-26</ns0:FVD>`, ""},
		"a contingency range says so": {CAE{Type: 211, Series: "9Z"},
			`<ns0:TCFE>211</ns0:TCFE><ns0:Serie>9Z</ns0:Serie><ns0:DNro>1</ns0:DNro><ns0:HNro>10</ns0:HNro><ns0:TA>F</ns0:TA>`,
			""},
		"no such type":                             {CAE{Type: 33}, "", "33"},
		"no such series":                           {CAE{Type: 101, Series: "Ñ"}, "", "series"},
		"a range that ends before it begins":       {CAE{Type: 101, From: 11}, "", "range"},
		"a number of eight digits":                 {CAE{Type: 101, To: 10_000_000}, "", "range"},
		"an identifier whose check digit is wrong": {CAE{Type: 101, TaxIdentifier: "217111220015"}, "", "check digit"},
		"an end before its date": {CAE{Type: 101, Date: noon, Expires: noon.AddDate(0, 0, -1)}, "",
			"expire"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.ask.TaxIdentifier == "" {
				c.ask.TaxIdentifier = "21.711122.0014"
			}
			if c.ask.From == 0 {
				c.ask.From = 1
			}
			if c.ask.To == 0 {
				c.ask.To = 10
			}
			file, err := openNumbers(t).IssueCAE(c.ask)
			switch {
			case c.fail != "" && (err == nil || !strings.Contains(err.Error(), c.fail)):
				t.Errorf("%v, want an error about %s", err, c.fail)
			case c.fail == "" && err != nil:
				t.Error(err)
			case !strings.Contains(string(file), c.want):
				t.Errorf("%s\nlacks %s", file, c.want)
			}
		})
	}
}

func TestNoTwoCAEsHaveOneNumberEvenWhenIssuedAtOnce(t *testing.T) {
	n := openNumbers(t)
	var mu sync.Mutex
	seen := map[string]bool{}
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			file, err := n.IssueCAE(CAE{TaxIdentifier: "217111220014", Type: 111, From: 1, To: 100})
			found := regexp.MustCompile(`<ns0:NA>(\d{11})</ns0:NA>`).FindSubmatch(file)
			if err != nil || found == nil {
				t.Errorf("%s: %v", file, err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			seen[string(found[1])] = true
		})
	}
	all.Wait()
	if len(seen) != 16 {
		t.Errorf("%d numbers for 16 files", len(seen))
	}
}
