package writeapi_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"folio/events"
)

// Of many replays that a company asks for at once one begins; the next one can begin when
// that one has ended. Another company is not concerned.
func TestACompanyHasOneReplayAtATime(t *testing.T) {
	w := newWorld(t)
	replays := func(s shop) string {
		hooks := "/api/companies/" + s.id + "/webhooks"
		return w.call("POST", hooks, `{"url":"https://example.com/","events":["ISE"]}`,
			s.key).want(201).Header().Get("Location") + "/replays"
	}
	s := w.company()
	path, plan := replays(s), `{"from":"2020-01-01T00:00:00Z"}`
	var mu sync.Mutex
	var begun []string
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			a := w.call("POST", path, plan, s.key)
			mu.Lock()
			defer mu.Unlock()
			if a.Code == http.StatusCreated {
				begun = append(begun, a.text("id"))
			} else {
				a.fails(409, "REPLAY_RUNNING")
			}
		})
	}
	all.Wait()
	if len(begun) != 1 {
		t.Fatalf("%d replays began", len(begun))
	}
	w.call("POST", path, `{"from":"2020-01-01T00:00:00Z","dry_run":true}`, s.key).want(200)
	other := w.company()
	w.call("POST", replays(other), plan, other.key).want(201)
	w.call("DELETE", path+"/"+begun[0], "", s.key).want(204)
	w.call("POST", path, plan, s.key).want(201)
}

// A position that the log has not come to was taken from another log: nobody waits for it.
func TestAReplayDoesNotBeginInTheFuture(t *testing.T) {
	w := newWorld(t)
	s, path := w.hooked()
	future, body := path+"/replays", `{"since_position":"C:99999/P:99999"}`
	w.call("POST", future, body, s.key).fails(422, "VALIDATION_FAILED", "since_position NOT_YET")
	w.call("POST", future, strings.Replace(body, "{", `{"dry_run":true,"events":["ISE"],`, 1), s.key).
		fails(422, "VALIDATION_FAILED", "since_position NOT_YET")
	end, err := w.log.End(t.Context())
	check(t, err)
	for _, none := range []events.Position{{}, {Commit: end.Commit, Prepare: end.Prepare + 1},
		{Commit: end.Commit, Prepare: end.Prepare - 1}} {
		w.call("POST", future, `{"since_position":"`+none.String()+`"}`, s.key).
			fails(422, "VALIDATION_FAILED", "since_position INVALID_FORMAT")
	}
	w.call("POST", future, `{"since_position":"`+end.String()+`"}`, s.key).want(201)
}
