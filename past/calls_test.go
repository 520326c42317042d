package past_test

import (
	"reflect"
	"testing"

	"folio/events"
)

// Every event that has calls tells of them: the list follows from the catalogue.
func TestNoCallIsLeftOut(t *testing.T) {
	with := 0
	for _, entry := range events.Catalog() {
		v := reflect.New(reflect.TypeOf(entry.Zero)).Elem()
		calls := v.FieldByName("Calls")
		if !calls.IsValid() || calls.Type() != reflect.TypeFor[[]events.Call]() {
			continue
		}
		with++
		calls.Set(reflect.ValueOf([]events.Call{{Operation: "ask"}}))
		if got := events.CallsOf(v.Interface().(events.Event)); len(got) != 1 || got[0].Operation != "ask" {
			t.Errorf("%s: %v", entry.Name, got)
		}
	}
	if with == 0 {
		t.Error("no event has calls")
	}
}
