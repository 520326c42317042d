package pdf

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"folio/country"
)

// formOf is a form as the rules of a country make it: the golden of their own tests.
func formOf(t testing.TB, code, name string) country.Form {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "country", code, "testdata", name+".form.json"))
	if err != nil {
		t.Fatal(err)
	}
	var f country.Form
	if err := json.Unmarshal(raw, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func chilean(t testing.TB, name string) country.Form { return formOf(t, "cl", name) }

func uruguayan(t testing.TB, name string) country.Form { return formOf(t, "uy", name) }

func TestFormsShowEverythingTheyHold(t *testing.T) {
	const suffix = ".form.json"
	for _, code := range []string{"cl", "uy"} {
		files, err := filepath.Glob(filepath.Join("..", "country", code, "testdata", "*"+suffix))
		if err != nil || len(files) < 6 {
			t.Fatalf("%s has the forms %v, %v", code, files, err)
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), suffix)
			f := formOf(t, code, name)
			d, _ := render(t, f, sampleLogo(t))
			showsAll(t, code+" "+name, d, f)
		}
	}
}

// An Argentine voucher of a contingency says CAEA, with its digits and its last day.
func TestAVoucherUnderACAEASaysSo(t *testing.T) {
	f := formOf(t, "ar", "class_b_caea")
	d, _ := render(t, f, sampleLogo(t))
	showsAll(t, "ar class_b_caea", d, f)
	l := composed(t, f, nil)
	if txt := textOf(l.sheets[0]); !strings.Contains(txt, "CAEA N.º") || !strings.Contains(txt, "36482345678901") ||
		!strings.Contains(txt, "30/11/2026") {
		t.Errorf("%s", txt)
	}
}
