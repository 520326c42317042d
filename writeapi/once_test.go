package writeapi_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/eventstore"

	"github.com/go-chi/chi/v5"
)

// addition is a POST that adds something, in a world that is ready for it.
type addition struct {
	route string        // as it is registered
	rules country.Rules // Argentina's unless given
	ready func(w *world) (send func(headers ...string) answer)
	once  bool // the answer shows a secret
}

func (w *world) poster(path, body string, headers ...string) func(...string) answer {
	return func(more ...string) answer { return w.call("POST", path, body, append(headers, more...)...) }
}

func (w *world) former(path string, parts []part, headers ...string) func(...string) answer {
	return func(more ...string) answer { return w.upload(path, parts, append(headers, more...)...) }
}

// hooked is a company with a webhook, and the webhook's path.
func (w *world) hooked() (s shop, path string) {
	s = w.company()
	made := w.call("POST", "/api/companies/"+s.id+"/webhooks", `{"url":"https://example.com/hook","events":["ISE"]}`,
		s.key).want(201)
	return s, made.Header().Get("Location")
}

const aPurchase = `{"invoice_type":"FCA","branch_office":1,"number":7,"date":"2026-11-20","total":100,"currency":"ARS",
	"authorization_code":"76123456789012","supplier":{"legal_name":"Proveedora","document_number":"30712345671"}}`

// additions are all of them; a test compares them with the routes.
var additions = []addition{
	{route: "/api/companies", ready: func(w *world) func(...string) answer {
		return w.poster("/api/companies", `{"legal_name":"Molinos","tax_identifier":"`+cuit+
			`","tax_identifier_name":"CUIT","id_currency":1}`, ana)
	}},
	{route: "/api/companies/apikey", once: true, ready: func(w *world) func(...string) answer {
		return w.poster("/api/companies/apikey", `{"id_company":"`+w.company().id+`","description":"till"}`, ana)
	}},
	{route: "/api/companies/{id_company}/apikeys/{key_id}/rotate", once: true,
		ready: func(w *world) func(...string) answer {
			s := w.company()
			made := w.call("POST", "/api/companies/apikey", `{"id_company":"`+s.id+`"}`, ana).want(201)
			return w.poster("/api/companies/"+s.id+"/apikeys/"+made.text("key_id")+"/rotate", "", ana)
		}},
	{route: "/api/companies/{id_company}/members", ready: func(w *world) func(...string) answer {
		w.withAccount("bob@example.com", password)
		return w.poster("/api/companies/"+w.company().id+"/members", `{"email":"bob@example.com","role":"auditor"}`, ana)
	}},
	{route: "/api/companies/{id_company}/logo", ready: func(w *world) func(...string) answer {
		s := w.company()
		return w.former("/api/companies/"+s.id+"/logo", []part{{"logo", "logo.png", picture(w.t, "png", 40)}}, s.key)
	}},
	{route: "/api/companies/{id_company}/certificates", ready: func(w *world) func(...string) answer {
		s := w.company()
		w.certified(nil)
		return w.former("/api/companies/"+s.id+"/certificates", certificateForm(), s.key)
	}},
	{route: "/api/companies/{id_company}/enumeration/upload", rules: lettered{},
		ready: func(w *world) func(...string) answer {
			s := w.company()
			return w.former("/api/companies/"+s.id+"/enumeration/upload",
				[]part{{"id_document_type", "", "1"}, {"file", "f", "A 1 100"}}, s.key)
		}},
	{route: "/api/companies/{id_company}/webhooks", once: true, ready: func(w *world) func(...string) answer {
		s := w.company()
		return w.poster("/api/companies/"+s.id+"/webhooks", `{"url":"https://example.com/hook","events":["ISE"]}`, s.key)
	}},
	{route: "/api/companies/{id_company}/webhooks/{id_webhook}/rotate-secret", once: true,
		ready: func(w *world) func(...string) answer {
			s, path := w.hooked()
			return w.poster(path+"/rotate-secret", "", s.key)
		}},
	{route: "/api/companies/{id_company}/webhooks/{id_webhook}/ping", ready: func(w *world) func(...string) answer {
		s, path := w.hooked()
		return w.poster(path+"/ping", "", s.key)
	}},
	{route: "/api/companies/{id_company}/webhooks/{id_webhook}/deliveries/{id_delivery}/resend",
		ready: func(w *world) func(...string) answer {
			s, path := w.hooked()
			id := w.call("POST", path+"/ping", "", s.key).want(202).text("delivery_id")
			return w.poster(path+"/deliveries/"+id+"/resend", "", s.key)
		}},
	{route: "/api/companies/{id_company}/webhooks/{id_webhook}/replays", ready: func(w *world) func(...string) answer {
		s, path := w.hooked()
		return w.poster(path+"/replays", `{"from":"2026-11-01T00:00:00Z"}`, s.key)
	}},
	{route: "/api/companies/{id_company}/outages", ready: func(w *world) func(...string) answer {
		s := w.company()
		return w.poster("/api/companies/"+s.id+"/outages", `{"environment":"production","reason":"cut"}`, s.key)
	}},
	{route: "/api/companies/{id_company}/outages/{id_outage}/close", ready: func(w *world) func(...string) answer {
		s := w.company()
		opened := w.call("POST", "/api/companies/"+s.id+"/outages", `{"environment":"production","reason":"cut"}`, s.key)
		return w.poster(opened.want(201).Header().Get("Location")+"/close", `{"reason":"it is back"}`, s.key)
	}},
	{route: "/api/companies/{id_company}/contingency/{point_of_sale}/open", ready: func(w *world) func(...string) answer {
		s := w.contingent()
		return w.poster(s.path+"/open", `{"reason":"ARCA is away"}`, s.key)
	}},
	{route: "/api/companies/{id_company}/contingency/{point_of_sale}/close", ready: func(w *world) func(...string) answer {
		s := w.contingent()
		w.call("POST", s.path+"/open", `{"reason":"ARCA is away"}`, s.key).want(200)
		return w.poster(s.path+"/close", `{"reason":"ARCA is back"}`, s.key)
	}},
	{route: "/api/companies/{id_company}/purchases", ready: func(w *world) func(...string) answer {
		s := w.company()
		return w.poster("/api/companies/"+s.id+"/purchases", aPurchase, s.key)
	}},
	{route: "/api/invoices", ready: func(w *world) func(...string) answer {
		return w.poster("/api/invoices", sample(w.t), w.company().key)
	}},
	{route: "/api/invoices/{invoice_id}/credit-note", ready: func(w *world) func(...string) answer {
		s := w.company()
		return w.poster("/api/invoices/"+w.issued(s, 1, sample(w.t))+"/credit-note", "", s.key)
	}},
	{route: "/api/invoices/{invoice_id}/email", ready: func(w *world) func(...string) answer {
		s := w.company()
		return w.poster("/api/invoices/"+w.issued(s, 1, sample(w.t))+"/email", `{"to":"a@b.cl"}`, s.key)
	}},
}

// notAdding are the POSTs that add nothing which a key could keep.
var notAdding = []string{
	// nobody's yet: who calls is not known
	"/api/login", "/api/account/password-reset",
	// they store nothing
	"/api/invoices/calculate", "/api/invoices/validate", "/api/invoices/preview",
	// each row, and the export, has the key itself
	"/api/invoices/batch", "/api/exports",
	// asking again changes nothing
	"/api/logout",
	"/api/invoices/{invoice_id}/process",
	// they read
	"/api/invoices/{invoice_id}/download-pdf/A4", "/api/invoices/{invoice_id}/download/A4",
	"/api/invoices/{invoice_id}/download-pdf/ticket",
}

func TestEveryPostThatAddsSomethingIsTried(t *testing.T) {
	routes := newWorld(t).router.(chi.Routes)
	var unknown []string
	check(t, chi.Walk(routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if method == http.MethodPost && !slices.Contains(notAdding, route) &&
			!slices.ContainsFunc(additions, func(a addition) bool { return a.route == route }) {
			unknown = append(unknown, route)
		}
		return nil
	}))
	if len(unknown) > 0 {
		t.Errorf("these are not tried with an Idempotency-Key: %v", unknown)
	}
}

// tried runs f for every POST that adds something, in a world of its own.
func tried(t *testing.T, f func(t *testing.T, w *world, a addition, send func(...string) answer)) {
	for _, a := range additions {
		t.Run(a.route, func(t *testing.T) {
			var rules country.Rules = ar.Rules{}
			if a.rules != nil {
				rules = a.rules
			}
			w := newWorldOf(t, rules)
			f(t, w, a, a.ready(w))
		})
	}
}

// effects counts the facts besides those of keys.
func (w *world) effects() (n int) {
	all, _ := w.log.Events()
	for _, r := range all {
		if !strings.HasPrefix(r.Stream, "idempotency-") {
			n++
		}
	}
	return n
}

// repeats wants the answer of a repeat: the first one, or that its secret was shown once.
func (a addition) repeats(t *testing.T, first, again answer) {
	t.Helper()
	again.t = t
	if a.once {
		again.fails(409, "SECRET_SHOWN_ONCE")
		return
	}
	if again.Code != first.Code || again.Body.String() != first.Body.String() ||
		again.Header().Get("Location") != first.Header().Get("Location") ||
		again.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("first\n%d %s %v\nagain\n%d %s %v", first.Code, first.Body, first.Header(), again.Code, again.Body,
			again.Header())
	}
}

func TestEveryPostWithTheSameKeyIsDoneOnce(t *testing.T) {
	tried(t, func(t *testing.T, w *world, a addition, send func(...string) answer) {
		before := w.effects()
		first := send(key)
		after := w.effects()
		if first.Code/100 != 2 || after == before || first.Header().Get("Idempotency-Replayed") != "" {
			t.Fatalf("%d %s, %d facts", first.Code, first.Body, after-before)
		}
		for range 2 {
			a.repeats(t, first, send(key))
			w.restart()
		}
		if n := w.effects(); n != after {
			t.Errorf("the repeats recorded %d facts", n-after)
		}
		if a.once {
			id := regexp.MustCompile(`"(?:key_id|id)":"?(\w+)`).FindStringSubmatch(first.Body.String())
			if told := send(key).text("detail"); id == nil || !strings.Contains(told, id[1]) {
				t.Errorf("%q does not name what was made: %s", told, first.Body)
			}
		}
	})
}

func TestAnotherRequestWithTheKeyIsRefused(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	body := func(name string) string {
		return `{"legal_name":"` + name + `","tax_identifier":"` + cuit + `","tax_identifier_name":"CUIT","id_currency":1}`
	}
	w.call("POST", "/api/companies", body("A"), ana, key).want(201)
	w.call("POST", "/api/companies", body("B"), ana, key).fails(422, "IDEMPOTENCY_KEY_REUSED")
	w.call("POST", "/api/companies", body("A"), bob, key).want(201) // another account
	path := "/api/companies/" + s.id
	w.call("POST", path+"/purchases", aPurchase, s.key, key).want(201)
	w.call("POST", "/api/invoices", sample(t), s.key, key).fails(422, "IDEMPOTENCY_KEY_REUSED")
	w.call("POST", path+"/webhooks", `{"url":"https://example.com/hook","events":["ISE"]}`, s.key,
		key).fails(422, "IDEMPOTENCY_KEY_REUSED")
}

func TestARefusedPostLeavesItsKeyFree(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	path := "/api/companies/" + s.id + "/webhooks"
	w.call("POST", path, `{"url":"https://example.com/hook","events":["XXX"]}`, s.key, key).want(422)
	w.call("POST", path, `{"url":"https://example.com/hook","events":["ISE"]}`, s.key).want(201)
	w.call("POST", path, `{"url":"https://example.com/hook","events":["ISE"]}`, s.key, key).
		fails(409, "WEBHOOK_SUSCRIPTION_ALREADY_EXISTS") // decided, and refused
	w.call("POST", "/api/companies/"+s.id+"/purchases", aPurchase, s.key, key).want(201)
}

// A crash may come between any two appends. The repeat does what is left, and no more.
func TestWhatACrashLeftOfAnyPostIsFinished(t *testing.T) {
	tried(t, func(t *testing.T, w *world, a addition, send func(...string) answer) {
		before := w.effects()
		send(key)
		want := w.effects() - before
		for step := 0; ; step++ {
			fresh := newWorldOf(w.t, w.countries[0])
			send := a.ready(fresh)
			before, appends := fresh.effects(), 0
			fresh.log.lost(func(string) error { // what was appended is there, and nobody hears of it
				if appends++; appends > step {
					return eventstore.ErrUnavailable
				}
				return nil
			})
			first := send(key)
			fresh.log.lost(nil)
			if appends <= step {
				if step < 2 {
					t.Errorf("it took %d appends", appends)
				}
				return
			}
			if first.Code != 503 {
				t.Fatalf("step %d: %d %s", step, first.Code, first.Body)
			}
			if step%2 == 0 { // in another process
				fresh.restart()
			}
			again := send(key)
			shown := a.once && step >= 1 // its secret was recorded, and nobody saw it
			if again.Code/100 != 2 && !(shown && again.Code == 409) {
				t.Fatalf("step %d: %d %s", step, again.Code, again.Body)
			}
			once := fresh.effects() - before
			if again.Code/100 == 2 {
				a.repeats(t, again, send(key))
			}
			if once != want || fresh.effects()-before != want {
				t.Errorf("step %d: %d facts, want %d", step, once, want)
			}
		}
	})
}

func TestManyPostsAtOnceWithOneKeyAreOne(t *testing.T) {
	tried(t, func(t *testing.T, w *world, a addition, send func(...string) answer) {
		before := w.effects()
		answers := make([]answer, 16)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() { answers[i] = send(key) })
		}
		all.Wait()
		good := 0
		told := map[string]int{}
		for _, one := range answers {
			if one.Code/100 == 2 {
				good++
				told[one.Body.String()]++
			} else if !a.once || one.Code != 409 || !strings.Contains(one.Body.String(), "SECRET_SHOWN_ONCE") {
				t.Errorf("%d %s", one.Code, one.Body)
			}
		}
		if len(told) != 1 || a.once && good != 1 || !a.once && good != len(answers) {
			t.Errorf("%d good answers of %d, %d different", good, len(answers), len(told))
		}
		effects := w.effects() - before
		send(key)
		if n := w.effects() - before; n != effects || effects > 2 {
			t.Errorf("%d facts, then %d", effects, n)
		}
	})
}
