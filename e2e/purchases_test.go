package e2e

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// purchase is what the tests read of a purchase's record.
type purchase struct {
	ID           string
	Verification string
	Total        json.Number
	Detail       string                           `json:"verification_detail"`
	Messages     []struct{ Code, Message string } `json:"authority_messages"`
}

// TestAPurchaseIsConfirmedByTheAuthority has one company sell to another of the same
// authority, which asks WSCDC about what it was sold.
func TestAPurchaseIsConfirmedByTheAuthority(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	authority := spyOn(t, dir)
	p := serve(t, dir, "--authority-url", authority.URL, "--retry-base", "100ms")
	seller, buyer := issuing(t, p, dir, 1), issuing(t, p, dir, 2)
	sell := func() invoice {
		b := body("FCA", 1, "sold")
		b["recipient"].(map[string]any)["document_number"] = buyer.cuit
		return seller.issue(t, b)
	}
	buy := func(status int, what map[string]any) purchase {
		t.Helper()
		return decode[purchase](t, buyer.want(t, status, http.MethodPost, buyer.path("/purchases"), what))
	}
	shown := func(id string) purchase {
		t.Helper()
		return decode[purchase](t, buyer.want(t, http.StatusOK, http.MethodGet, buyer.path("/purchases/"+id), nil))
	}
	typed := func(i invoice, total string) map[string]any {
		return map[string]any{"invoice_type": "FCA", "branch_office": 1, "number": number(t, i), "date": today,
			"currency": "ARS", "total": json.Number(total),
			"authorization_code": i.Authorization.Code,
			"supplier": map[string]any{"legal_name": "Librería del Sur S.R.L.", "document_type": "CUIT",
				"document_number": seller.cuit}}
	}

	t.Run("the code of a real invoice is confirmed", func(t *testing.T) {
		i := sell()
		got := buy(http.StatusCreated, map[string]any{"qr": i.Authorization.QR})
		if got.Verification != "authority_confirmed" || len(got.Messages) != 0 || !strings.Contains(got.Detail, "Simulador") {
			t.Errorf("%+v", got)
		}
		asked := authority.count("ComprobanteConstatar")
		if again := buy(http.StatusOK, typed(i, "242.00")); again.ID != got.ID ||
			again.Verification != "authority_confirmed" {
			t.Errorf("the same document again: %+v", again)
		}
		if authority.count("ComprobanteConstatar") != asked {
			t.Error("what was confirmed was asked about again")
		}
		if r := authority.requestOf("ComprobanteConstatar"); !strings.Contains(r, "<DocNroReceptor>"+buyer.cuit) ||
			!strings.Contains(r, "<ImpTotal>242.00") {
			t.Errorf("it was asked with %s", r)
		}
	})
	t.Run("a wrong total is refused with the authority's code, and corrected when it comes again", func(t *testing.T) {
		i := sell()
		got := buy(http.StatusCreated, typed(i, "99999.00"))
		if got.Verification != "authority_refused" || len(got.Messages) != 1 || got.Messages[0].Code != "110" {
			t.Errorf("%+v", got)
		}
		if read := shown(got.ID); read.Verification != got.Verification || len(read.Messages) != 1 {
			t.Errorf("it reads back as %+v", read)
		}
		right := buy(http.StatusOK, typed(i, "242.00"))
		if right.ID != got.ID || right.Verification != "authority_confirmed" || right.Total != "242.00" {
			t.Errorf("corrected: %+v", right)
		}
		if read := shown(got.ID); read.Verification != right.Verification || len(read.Messages) != 0 ||
			read.Total != "242.00" {
			t.Errorf("corrected, it reads back as %+v", read)
		}
		buyer.refused(t, http.StatusConflict, "PURCHASE_DIFFERS", http.MethodPost, buyer.path("/purchases"),
			typed(i, "99999.00"))
	})
	t.Run("an authority that is away is asked again when the document comes again", func(t *testing.T) {
		i := sell()
		for _, effect := range []effect{down, page, lost} {
			authority.trouble.Store(&trouble{effect: effect, operation: "ComprobanteConstatar"})
			status := http.StatusOK
			if effect == down {
				status = http.StatusCreated
			}
			if got := buy(status, typed(i, "242.00")); got.Verification != "consistent" ||
				!strings.Contains(got.Detail, "Send the document again") {
				t.Errorf("%s: %+v", effect, got)
			}
		}
		authority.trouble.Store(nil)
		got := buy(http.StatusOK, typed(i, "242.00"))
		if got.Verification != "authority_confirmed" || shown(got.ID).Verification != "authority_confirmed" {
			t.Errorf("%+v", got)
		}
	})
	p.stop(t)
	p = serve(t, dir, "--verify-purchases", "never", "--authority-url", authority.URL)
	seller.base, buyer.base = p.base, p.base
	if got := buy(http.StatusCreated, map[string]any{"qr": sell().Authorization.QR}); got.Verification != "consistent" {
		t.Errorf("nobody was to be asked: %+v", got)
	}
	p.stop(t)
}

// number is the number of an accepted invoice without its point of sale.
func number(t testing.TB, i invoice) int64 {
	t.Helper()
	_, digits, _ := strings.Cut(*i.Number, "-")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
