package writeapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/commands"
	"folio/commands/numbering"
	"folio/events"

	"github.com/oklog/ulid/v2"
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

// What takes the place of a removed certificate finds room, and the removed one's key is gone with the answer.
func TestACompanyWithAllItsCertificatesRemovesOne(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	w.certified(nil)
	path := "/api/companies/" + s.id + "/certificates"
	var ids []string
	for _, environment := range []string{"Testing", "Production", "Testing"} {
		ids = append(ids, w.upload(path, certificateForm("environment", environment), s.key).want(201).text("id"))
	}
	w.upload(path, certificateForm("environment", "Production"), s.key).fails(409, "TOO_MANY_CERTIFICATES")
	secret := "company/" + s.id + "/certificate/" + ids[0]
	if w.secrets[secret] == nil {
		t.Fatal("its key is not where it is looked for")
	}
	w.call("DELETE", path+"/"+ids[2], "", s.key).fails(409, "CERTIFICATE_IN_USE")
	w.call("DELETE", path+"/"+ulid.Make().String(), "", s.key).fails(404, "CERTIFICATE_NOT_FOUND")
	w.call("DELETE", path+"/company", "", s.key).fails(404, "CERTIFICATE_NOT_FOUND")
	other := w.company()
	w.call("DELETE", path+"/"+ids[0], "", other.key).fails(403, "OTHER_COMPANY")
	w.call("DELETE", "/api/companies/"+other.id+"/certificates/"+ids[0], "", other.key).fails(404, "CERTIFICATE_NOT_FOUND")
	for range 2 { // a repeat finds it done
		w.call("DELETE", path+"/"+ids[0], "", s.key).want(204)
	}
	if w.secrets[secret] != nil {
		t.Error("its key is still in the vault")
	}
	left := w.call("GET", path, "", s.key).want(200)
	if strings.Contains(left.Body.String(), ids[0]) || !strings.Contains(left.Body.String(), ids[1]) {
		t.Errorf("the list shows %s", left.Body)
	}
	w.upload(path, certificateForm("environment", "Production"), s.key).want(201)
	w.secrets[secret] = []byte("as after a death between fact and vault")
	w.call("DELETE", path+"/"+ids[0], "", s.key).want(204)
	if w.secrets[secret] != nil {
		t.Error("a repeat does not finish what a death interrupted")
	}
}

func TestTheCertificateOfAnOpenSubmissionIsNotRemoved(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	w.certified(nil)
	path := "/api/companies/" + s.id + "/certificates"
	testing := w.upload(path, certificateForm("environment", "Testing"), s.key).want(201).text("id")
	w.advance(time.Minute)
	series := func(c numbering.Command) {
		_, err := commands.Bind(w.x, numbering.Decider).Execute(t.Context(), s.id+"-Testing-1-1", c,
			commands.Request{ID: commands.Derived(fmt.Sprintf("%T", c)), Actor: "test", At: w.now()})
		check(t, err)
	}
	series(numbering.OpenSubmission{Submission: "S1", Invoices: []string{"I1"}})
	w.upload(path, certificateForm("environment", "Production"), s.key).want(201)
	w.call("DELETE", path+"/"+testing, "", s.key).fails(409, "CERTIFICATE_IN_USE")
	series(numbering.SettleSubmission{Submission: "S1",
		Outcomes: []events.Outcome{{Invoice: "I1", Number: 1, Result: events.Rejected}}})
	w.call("DELETE", path+"/"+testing, "", s.key).want(204)
}
