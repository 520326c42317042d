package pdf

import (
	"folio/country"
	"os"
	"strings"
	"testing"
)

func TestLook(t *testing.T) {
	d := os.Getenv("LOOK")
	if d == "" {
		return
	}
	logo := sampleLogo(t)
	long := formA(6)
	long.Rows[2][1] = strings.Repeat("Descripción muy detallada del trabajo realizado en obra, con materiales y mano de obra incluidos. ", 90)
	long.Rows[3][1] = strings.Repeat("W", 1500)
	long.Rows[4][4] = "9.999.999.999.999,999999"
	long.Rows[4][6] = "9.999.999.999.999,99"
	uni := formB(4)
	uni.IssuerName = "Łódź Ćuk & Ñandú ₲ → 😀"
	uni.Rows[0][1] = "שלום עולם 123 Кирилл g̃uarani ỹ 中文"
	uni2 := formB(4)
	uni2.Rows[0][1] = "emoji 😀 — dash\x07 control 中文"
	for n, x := range map[string]struct {
		f country.Form
		l []byte
	}{"a1": {formA(1), logo}, "a25": {formA(25), logo}, "a120": {formA(120), nil}, "b1": {formB(1), nil}, "b25": {formB(25), logo}, "fce8": {formFCE(8), logo}, "long": {long, logo}, "uni": {uni, nil}, "uni2": {uni2, nil}} {
		b, err := Render(x.f, x.l)
		if err != nil {
			t.Fatal(n, err)
		}
		os.WriteFile(d+"/"+n+".pdf", b, 0o644)
		t.Log(n, len(b))
	}
}
