package access

import (
	"context"
	"errors"
	"testing"
	"time"

	"folio/commands/apikey"
	"folio/eventstore"
	"folio/httpapi"
	"folio/tables"
)

func TestReadingGoesOnWhileTheLogIsAway(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.x.Connected(true)
	shown := map[string]apikey.State{}
	offline := Offline{For: 24 * time.Hour, Shown: func(_ context.Context, id string) (apikey.State, error) {
		if s, ok := shown[id]; ok {
			return s, nil
		}
		return apikey.State{}, tables.ErrNotFound
	}}
	keys := NewKeys(h.x, nil).Offline(offline)
	h.accounts.Offline(offline)
	h.register(t, "ana@example.com", "correct horse battery")
	token := h.login(t, "ana@example.com", "correct horse battery")
	known, id, hash := drawn(t)
	h.issue(t, id, hash)
	elsewhere, elsewhereID, elsewhereHash := drawn(t) // never checked here
	shown[elsewhereID] = apikey.State{Key: elsewhereID, Company: "C2", SHA256: elsewhereHash}
	revoked, revokedID, revokedHash := drawn(t)
	shown[revokedID] = apikey.State{Key: revokedID, Company: "C2", SHA256: revokedHash, Revoked: true}
	nobody, _, _ := drawn(t)
	wrong := elsewhere[:3+26] + nobody[3+26:]

	h.down = eventstore.ErrUnavailable
	h.x.Connected(false)
	reading := httpapi.Reading(ctx)
	check := func(when string, want map[string]int, ctx context.Context) {
		t.Helper()
		for key, status := range want {
			_, err := keys.Key(ctx, key)
			if status == 200 && err != nil || status == 401 && !errors.Is(err, httpapi.ErrBadCredential) ||
				status == 503 && httpapi.Status(err) != 503 {
				t.Errorf("%s: %s is %v, not %d", when, key[:29], err, status)
			}
		}
	}
	all := map[string]int{known: 200, elsewhere: 200, revoked: 401, wrong: 401, nobody: 503}
	check("at once", all, reading)
	h.advance(time.Hour)
	check("after an hour", all, reading)
	check("a write", map[string]int{known: 503, elsewhere: 503, revoked: 503, nobody: 503}, ctx)
	if _, err := h.accounts.Bearer(reading, token); err != nil {
		t.Errorf("a token after an hour: %v", err)
	}
	if _, err := h.accounts.Bearer(ctx, token); httpapi.Status(err) != 503 {
		t.Errorf("a token that writes: %v", err)
	}
	shown[id] = apikey.State{Key: id, Company: "C1", SHA256: hash, Revoked: true}
	check("revoked elsewhere, and the read models know it", map[string]int{known: 401}, reading)
	delete(shown, id)
	h.advance(23 * time.Hour)
	check("after a day", map[string]int{known: 503, elsewhere: 503}, reading)
	h.x.Connected(true)
	check("with news again", map[string]int{known: 200}, reading)
}

func TestNothingGoesOnLongerThanAMinuteWithoutOfflineReads(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.x.Connected(true)
	keys := NewKeys(h.x, nil).Offline(Offline{})
	key, id, hash := drawn(t)
	h.issue(t, id, hash)
	h.x.Connected(false)
	h.advance(61 * time.Second)
	if _, err := keys.Key(httpapi.Reading(ctx), key); httpapi.Status(err) != 503 {
		t.Errorf("after a minute: %v", err)
	}
}
