package writeapi_test

import (
	"testing"
	"time"
)

func TestAnOutageIsOpenedAndClosedByHand(t *testing.T) {
	w := newWorld(t)
	s, other := w.company(), w.company()
	path := "/api/companies/" + s.id + "/outages"
	since := w.now().Add(-time.Hour).UTC().Format(time.RFC3339)
	opened := w.call("POST", path, `{"environment":"Production","reason":"our line is cut","since":"`+since+`"}`, s.key)
	opened.want(201)
	id := opened.text("id")
	if opened.text("state") != "open" || opened.text("cause") != "operator" || opened.text("since") != since ||
		opened.text("authority") != "arca" || opened.Header().Get("Location") != path+"/"+id {
		t.Errorf("the record is %s", opened.Body)
	}
	w.call("POST", path, `{"environment":"Production","reason":"again"}`, s.key).fails(409, "OUTAGE_ALREADY_OPEN")
	w.call("POST", path, `{"environment":"Testing","reason":"another environment"}`, s.key).want(201)
	w.call("POST", "/api/companies/"+other.id+"/outages/"+id+"/close", `{"reason":"mine"}`, other.key).
		fails(409, "OUTAGE_NOT_OPEN")
	closed := w.call("POST", path+"/"+id+"/close", `{"reason":"it is back"}`, s.key)
	closed.want(200)
	if closed.text("state") != "closed" || closed.text("id") != id {
		t.Errorf("it ended with %s", closed.Body)
	}
	w.call("POST", path+"/"+id+"/close", `{"reason":"again"}`, s.key).fails(409, "OUTAGE_NOT_OPEN")
	w.call("POST", path, `{"environment":"Production","reason":"r","since":"`+since+`"}`, s.key).
		fails(422, "VALIDATION_FAILED", "since OUTAGE_OVERLAPS")
}

func TestWhatAnOutageCannotBe(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	path := "/api/companies/" + s.id + "/outages"
	later := w.now().Add(time.Hour).UTC().Format(time.RFC3339)
	longAgo := w.now().Add(-30*24*time.Hour - time.Second).UTC().Format(time.RFC3339)
	for _, c := range []struct {
		body  string
		wants []string
	}{
		{`{"environment":"Production"}`, []string{"reason REQUIRED"}},
		{`{"environment":"moon","since":"yesterday"}`, []string{"environment NOT_ALLOWED", "reason REQUIRED",
			"since INVALID_FORMAT"}},
		{`{"environment":"Production","reason":"r","since":"` + later + `"}`, []string{"since NOT_ALLOWED"}},
		{`{"environment":"Production","reason":"r","since":"` + longAgo + `"}`, []string{"since NOT_ALLOWED"}},
		{`{"environment":"Production","reason":"r","since":"0001-01-01T00:00:00Z"}`, []string{"since NOT_ALLOWED"}},
		{`{"reason":"r"}`, []string{"environment REQUIRED"}},
		{`{"environment":"Production","reason":"r","max":1}`, []string{"max UNKNOWN_FIELD"}},
	} {
		w.call("POST", path, c.body, s.key).fails(422, "VALIDATION_FAILED", c.wants...)
	}
	w.call("POST", path+"/x/close", `{}`, s.key).fails(422, "VALIDATION_FAILED", "reason REQUIRED")
}
