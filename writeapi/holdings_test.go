package writeapi_test

import (
	"net/http"
	"sync"
	"testing"
)

func TestAnAccountAndACompanyHaveSoManyAndNoMore(t *testing.T) {
	for name, c := range map[string]struct{ path, body, constant string }{
		"companies": {"/api/companies", companyBody, "TOO_MANY_COMPANIES"},
		"keys":      {"/api/companies/apikey", "", "TOO_MANY_KEYS"},
	} {
		w := newWorld(t)
		body, made := c.body, 0
		if body == "" {
			body = `{"id_company":"` + w.call("POST", "/api/companies", companyBody, ana).want(201).text("id_company") + `"}`
		}
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 30 { // at once: none is counted before another is there
			all.Go(func() {
				a := w.call("POST", c.path, body, ana)
				mu.Lock()
				defer mu.Unlock()
				if a.Code == http.StatusCreated {
					made++
				} else {
					a.fails(409, c.constant)
				}
			})
		}
		all.Wait()
		if made != 20 {
			t.Errorf("%d %s were made, want 20", made, name)
		}
	}
}

// What is refused because there is so much already leaves nothing in the vault, and claims no
// numbers.
func TestACompanyHasSoManyCertificatesAndRanges(t *testing.T) {
	w := newWorldOf(t, lettered{})
	s := w.company()
	w.certified(nil)
	path := "/api/companies/" + s.id + "/certificates"
	for _, environment := range []string{"Testing", "Production", "Testing"} {
		w.upload(path, certificateForm("environment", environment), s.key).want(201)
	}
	for _, file := range []string{"A 1 10", "A 11 20", "A 21 30"} {
		w.enumerate(s, file).want(201)
	}
	sealed := len(w.secrets)
	w.upload(path, certificateForm("environment", "Production"), s.key).fails(409, "TOO_MANY_CERTIFICATES")
	w.enumerate(s, "A 31 40").fails(409, "TOO_MANY_RANGES")
	if len(w.secrets) != sealed {
		t.Errorf("%d secrets were left behind", len(w.secrets)-sealed)
	}
	w.upload(path, certificateForm("environment", "Testing"), s.key).want(200)
	w.enumerate(s, "A 21 30").want(200)
	other := w.company()
	w.enumerate(other, "A 31 40").want(201)
}
