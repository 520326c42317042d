package mongodb

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/event"
	"go.mongodb.org/mongo-driver/mongo/description"

	"folio/clock/clocktest"
	"folio/fault"
)

func TestCallsWaitForAServerAWhileAndThenFailAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, called := newPrimary(), 0
		hears := func(kinds ...description.ServerKind) {
			e := &event.TopologyDescriptionChangedEvent{}
			for _, k := range kinds {
				e.NewDescription.Servers = append(e.NewDescription.Servers, description.Server{Kind: k})
			}
			p.changed(e)
		}
		asks := func(when string, passes bool) {
			t.Helper()
			before := called
			err := p.within(t.Context(), Patience, func(context.Context) error { called++; return nil })
			if (called > before) != passes || (err == nil) != passes || err != nil && !errors.Is(err, fault.StoreUnavailable) {
				t.Errorf("%s: %v, %d calls", when, err, called-before)
			}
		}
		hears(description.RSPrimary, description.RSSecondary)
		time.Sleep(time.Hour)
		asks("with a primary", true)
		hears(description.Unknown, description.RSSecondary)
		asks("just lost", true)
		time.Sleep(Patience)
		hears(description.Unknown, description.Unknown)
		asks("after its patience", true)
		time.Sleep(time.Millisecond)
		asks("known to be away", false)
		hears(description.RSSecondary, description.RSPrimary)
		asks("with another primary", true)
	})
}

func TestAServerThatIsAwayIsToldAtOnceAndNotNamed(t *testing.T) {
	c, err := Connect(t.Context(), "mongodb://127.0.0.1:1", "test")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ask := func() error {
		_, err := c.Database("x").Collection("y").FindOne(t.Context(), bson.D{})
		if !errors.Is(err, fault.StoreUnavailable) || strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("%v", err)
		}
		return err
	}
	if err := ask(); !strings.Contains(err.Error(), "refused") {
		t.Errorf("the reason is missing: %v", err)
	}
	for !c.away() { // the first call may have waited a little less than from the connection on
		if errors.Is(ask(), errAway) {
			break
		}
	}
	clocktest.Prompt(t, "a call of a server that is known to be away", Patience/2, func() {
		if err := ask(); !errors.Is(err, errAway) {
			t.Errorf("known to be away: %v", err)
		}
	})
}
