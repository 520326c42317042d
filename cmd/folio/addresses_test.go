package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"folio/authority"
	"folio/authority/arca"
)

func TestOneServiceMovesAndTheOthersStay(t *testing.T) {
	write := func(text string) string {
		file := filepath.Join(t.TempDir(), "addresses.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	moved, err := readAddresses(write(`{"arca": {"Production": {"wsaa": "https://wsaa.arca.gob.ar/ws/services/LoginCms"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	e, testing := arca.Production, arca.Homologation
	for service, address := range moved["arca"][authority.Production] {
		*e.Services()[service] = address
	}
	want := arca.Production
	want.WSAA = "https://wsaa.arca.gob.ar/ws/services/LoginCms"
	if e != want || testing != arca.Homologation {
		t.Errorf("%+v, %+v", e, testing)
	}
	if none, err := readAddresses(""); err != nil || none != nil {
		t.Errorf("without a file: %v, %v", none, err)
	}
	for text, says := range map[string]string{
		`{"arca": {"Production": {"wsfev1": "https://x.example"}}}`:                            `arca.Production.wsfev1: use one of wsaa, wscdc, wsfe, wsfex`,
		`{"afip": {"Production": {"wsfe": "https://x.example"}}}`:                              `"afip" is none of arca, sii, dgi`,
		`{"arca": {"production": {"wsfe": "https://x.example"}}}`:                              "Production and Testing",
		`{"sii": {"Testing": {"portal": "maullin.sii.cl"}}}`:                                   "sii.Testing.portal",
		`{"dgi": {"Testing": {"queries": "ftp://x"}}}`:                                         "dgi.Testing.queries",
		`["https://x.example"]`:                                                                "is not of the form",
		`{"sii": {"Testing": {"portal": "https://a.example", "portal": "https://b.example"}}}`: "sii.Testing.portal is there twice",
		`{"sii": {"Testing": {"portal": 1}}}`:                                                  "sii.Testing.portal: a JSON number does not belong there",
		`{} {"sii": {}}`:                                                                       "is not of the form",
		`{"arca": {"Production": {"wsaa": ["https://x.example"]}}}  `:                          "is not of the form",
	} {
		if _, err := readAddresses(write(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

func TestAllThatIsWrongWithAddressesIsTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "moved.json")
	if err := os.WriteFile(file, []byte(`{"arca": {"Production": {"wsfev1": "https://x.example", "wsaa": "x"}},
		"sii": {"testing": {}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := readAddresses(file)
	for _, want := range []string{file, "arca.Production.wsfev1: use", `arca.Production.wsaa: "x"`, "sii.testing: the"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %s in %v", want, err)
		}
	}
}
