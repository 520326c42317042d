package httpapi

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"folio/admission"
)

// Whoever has many companies cannot keep all places: a call that waits ends when another company has none.
func TestACallThatWaitsGivesItsPlaceToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		places := admission.New("tests", admission.Limits{All: 2, Each: 1, Line: 1, Lines: 9, Patience: 3 * time.Second})
		var waiting sync.WaitGroup
		wait := func(company string) {
			waiting.Go(func() {
				leave, err := places.Enter(t.Context(), company, 1)
				if err != nil {
					t.Errorf("%s: %v", company, err)
					return
				}
				defer leave()
				until, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_ = Displaced(until, places.Wanted)
			})
			synctest.Wait()
		}
		began := time.Now()
		wait("A")
		wait("B")
		time.Sleep(10 * time.Second) // nobody needs a place
		if u := places.Usage(); u.Used != 2 {
			t.Fatalf("%+v", u)
		}
		wait("C")
		time.Sleep(2 * time.Second)
		if u := places.Usage(); u.Waiting != 0 || u.Used == 0 {
			t.Errorf("C has no place: %+v", u)
		}
		waiting.Wait()
		if took := time.Since(began); took > 80*time.Second {
			t.Errorf("the last one waited %s", took)
		}
	})
}
