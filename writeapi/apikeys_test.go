package writeapi_test

import (
	"strings"
	"testing"
	"time"
)

func (w *world) keyed(s shop, body string) answer {
	return w.call("POST", "/api/companies/apikey", `{"id_company":"`+s.id+`"`+body+`}`, ana)
}

func (w *world) reads(s shop, key string) answer {
	return w.call("GET", "/api/companies/"+s.id+"/certificates", "", "x-api-key: "+key)
}

func TestAKeyTellsItsEnvironmentAndItsName(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	w.certified(nil)
	begins := func(prefix string) answer {
		made := w.keyed(s, `,"name":"Till 3","description":"shop"`).want(201)
		if key := made.text("api_key"); !strings.HasPrefix(key, prefix+made.text("key_id")) || made.text("name") != "Till 3" {
			t.Errorf("want %s: %s", prefix, made.Body)
		}
		w.reads(s, made.text("api_key")).want(200)
		return made
	}
	begins("fk_")
	for environment, prefix := range map[string]string{"Testing": "fk_test_", "Production": "fk_live_"} {
		form := certificateForm("environment", environment, "certificate", environment)
		w.upload("/api/companies/"+s.id+"/certificates", form, s.key).want(201)
		made := begins(prefix)
		list := w.call("GET", "/api/companies/"+s.id+"/apikeys", "", ana).want(200).Body.String()
		if !strings.Contains(list, `"key_id":"`+made.text("key_id")+`","prefix":"`+prefix+made.text("key_id")+
			`","name":"Till 3","description":"shop","environment":"`+environment+`"`) {
			t.Errorf("%s: %s", environment, list)
		}
	}
}

func TestAKeyExpires(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	w.keyed(s, `,"expires_at":"2026-11-27T14:59:59Z"`).fails(422, "VALIDATION_FAILED", "expires_at OUT_OF_RANGE")
	w.keyed(s, `,"expires_at":"tomorrow"`).fails(422, "VALIDATION_FAILED", "expires_at INVALID_FORMAT")
	key := w.keyed(s, `,"expires_at":"2026-11-27T16:00:00Z"`).want(201).text("api_key")
	w.reads(s, key).want(200)
	w.advance(time.Hour + time.Second)
	w.reads(s, key).fails(401, "API_KEY_EXPIRED")
	w.reads(s, key[:len(key)-1]+"!").fails(401, "BAD_CREDENTIAL")
}

func TestARotatedKeyWorksDuringTheOverlap(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	made := w.keyed(s, `,"name":"till","scopes":["read"]`).want(201)
	path := "/api/companies/" + s.id + "/apikeys/" + made.text("key_id") + "/rotate"
	w.call("POST", path, `{"overlap_hours":721}`, ana).fails(422, "VALIDATION_FAILED", "overlap_hours OUT_OF_RANGE")
	w.call("POST", path, "", bob).want(404)
	next := w.call("POST", path, `{"overlap_hours":2}`, ana).want(201)
	if next.text("name") != "till" || !strings.Contains(next.Body.String(), `"scopes":["read"]`) {
		t.Errorf("the new key is another: %s", next.Body)
	}
	w.call("POST", path, "", ana).fails(409, "API_KEY_REPLACED")
	list := w.call("GET", "/api/companies/"+s.id+"/apikeys", "", ana).want(200)
	if text := list.Body.String(); !strings.Contains(text, `"replaced_by":"`+next.text("key_id")+`"`) ||
		!strings.Contains(text, `"expires_at":"2026-11-27T17:00:00.123456789Z"`) {
		t.Errorf("the list does not tell: %s", text)
	}
	for _, c := range []struct {
		after    time.Duration
		old, new int
	}{{0, 200, 200}, {2*time.Hour - time.Second, 200, 200}, {time.Second, 401, 200}} {
		w.advance(c.after)
		w.reads(s, made.text("api_key")).want(c.old)
		w.reads(s, next.text("api_key")).want(c.new)
	}
	w.call("DELETE", "/api/companies/"+s.id+"/apikeys/"+next.text("key_id"), "", ana).want(204)
	w.reads(s, next.text("api_key")).want(401)
	w.call("POST", "/api/companies/"+s.id+"/apikeys/"+next.text("key_id")+"/rotate", "", ana).fails(409, "API_KEY_REVOKED")
}
