package mongo

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/mongo"
	"pgregory.net/rapid"

	_ "folio/rapidseed"

	"folio/events"
)

func TestPositionsAsTextCompareAsPositions(t *testing.T) {
	draw := func(t *rapid.T, name string) events.Position {
		n := rapid.OneOf(rapid.Uint64Range(0, 20), rapid.Uint64Max(math.MaxInt64))
		return events.Position{Commit: n.Draw(t, name+" commit"), Prepare: n.Draw(t, name+" prepare")}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a"), draw(t, "b")
		if strings.Compare(width(a), width(b)) != a.Compare(b) {
			t.Fatalf("%s and %s: %s, %s", a, b, width(a), width(b))
		}
		if back, err := position(width(a)); err != nil || back != a {
			t.Fatalf("%s came back as %s, %v", a, back, err)
		}
	})
}

func FuzzPosition(f *testing.F) {
	for _, seed := range []string{"", strings.Repeat("0", 32), strings.Repeat("f", 31), strings.Repeat(" ", 32),
		strings.Repeat("+1", 16)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := position(text); err == nil && width(p) != text {
			t.Fatalf("%q read as %s", text, p)
		}
	})
}

func TestLatestKeepsOneWriteOfEachDocument(t *testing.T) {
	got := latest([]guarded{{"a", "1", nil}, {"b", "5", nil}, {"a", "3", nil}, {"a", "2", nil}, {"b", "5", nil}})
	if !slices.EqualFunc(got, []guarded{{"a", "3", nil}, {"b", "5", nil}},
		func(x, y guarded) bool { return x.id == y.id && x.at == y.at }) {
		t.Errorf("%v", got)
	}
}

func TestOnlyDuplicateKeysAreTakenOutOfAnError(t *testing.T) {
	failed := func(codes ...int) error {
		var e mongo.BulkWriteException
		for i, c := range codes {
			e.WriteErrors = append(e.WriteErrors, mongo.BulkWriteError{WriteError: mongo.WriteError{Index: i * 2, Code: c}})
		}
		return e
	}
	if late, err := duplicates(failed(11000, 11000)); err != nil || !slices.Equal(late, []int{0, 2}) {
		t.Errorf("%v, %v", late, err)
	}
	unsure := failed(11000).(mongo.BulkWriteException)
	unsure.WriteConcernError = &mongo.WriteConcernError{Code: 64}
	for _, bad := range []error{failed(11000, 121), unsure, errors.New("connection lost")} {
		if _, err := duplicates(bad); err == nil {
			t.Errorf("%v was taken for duplicates", bad)
		}
	}
	if late, err := duplicates(nil); err != nil || late != nil {
		t.Errorf("%v, %v", late, err)
	}
}
