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
