package arca

import (
	"testing"
	"time"
)

func TestCheckDigitOfRealCodes(t *testing.T) {
	ours := cae(time.Date(2026, 12, 15, 12, 0, 0, 0, zone), 7)
	for _, cae := range []string{"70417054367476", "86240262751646", "86200173262441", "86200173263879", ours} {
		if d := checkDigit(cae[:13]); int(cae[13]-'0') != d {
			t.Errorf("%s: %d", cae, d)
		}
	}
}
