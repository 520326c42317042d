package tables

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "folio/rapidseed"
)

// pageOf is what Ordinals must find, by walking the list one by one.
func pageOf(q Query, highest int64) (out []int64) {
	var all []int64
	for n := int64(1); n <= highest; n++ {
		if (q.AfterOrdinal == nil || n > *q.AfterOrdinal) && (q.BeforeOrdinal == nil || n < *q.BeforeOrdinal) {
			all = append(all, n)
		}
	}
	for i := range all {
		k := q.Offset + i
		if k >= len(all) || i >= q.Limit {
			break
		}
		if q.NewestFirst {
			k = len(all) - 1 - k
		}
		out = append(out, all[k])
	}
	return out
}

func TestOrdinalsAreThePageThatCountingFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := func(name string) *int64 {
			if !rapid.Bool().Draw(t, name+" given") {
				return nil
			}
			return new(rapid.Int64Range(-2, 25).Draw(t, name))
		}
		q := Query{AfterOrdinal: bound("after"), BeforeOrdinal: bound("before"),
			NewestFirst: rapid.Bool().Draw(t, "newest first"),
			Offset:      rapid.IntRange(0, 25).Draw(t, "offset"), Limit: rapid.IntRange(1, 25).Draw(t, "limit")}
		highest := rapid.Int64Range(0, 22).Draw(t, "highest")
		from, to := q.Ordinals(highest)
		var got []int64
		for n := from; n <= to; n++ {
			got = append(got, n)
		}
		want := pageOf(q, highest)
		if q.NewestFirst {
			slices.Reverse(want)
		}
		if len(got) != len(want) || len(got) > 0 && (got[0] != want[0] || got[len(got)-1] != want[len(want)-1]) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestOrdinalsSurviveTheLargestNumbers(t *testing.T) {
	for _, q := range []Query{
		{Offset: math.MaxInt, Limit: MaxLimit}, {Offset: math.MaxInt, Limit: MaxLimit, NewestFirst: true},
		{AfterOrdinal: new(int64(math.MaxInt64)), Limit: 1}, {BeforeOrdinal: new(int64(math.MinInt64)), Limit: 1},
		{AfterOrdinal: new(int64(math.MaxInt64)), BeforeOrdinal: new(int64(math.MinInt64)), Limit: 1},
	} {
		if from, to := q.Ordinals(100); from <= to {
			t.Errorf("%+v: %d to %d", q, from, to)
		}
	}
	q := Query{AfterOrdinal: new(int64(math.MinInt64)), BeforeOrdinal: new(int64(math.MaxInt64)), Limit: 10}
	if from, to := q.Ordinals(100); from != 1 || to != 10 {
		t.Errorf("%d to %d", from, to)
	}
}

func FuzzPrefixEnd(f *testing.F) {
	for _, seed := range []string{"", "a", "Ñandú", "a\U0010FFFF", "\U0010FFFF", "\uD7FF", "z\x7f"} {
		f.Add(seed, seed+"x")
	}
	f.Fuzz(func(t *testing.T, prefix, s string) {
		if !text(prefix) || !text(s) {
			return
		}
		end, bounded := PrefixEnd(prefix)
		if bounded && !text(end) {
			t.Fatalf("%q ends at %q, which is no text", prefix, end)
		}
		if in := s >= prefix && (!bounded || s < end); in != strings.HasPrefix(s, prefix) {
			t.Fatalf("%q in [%q, %q): %v", s, prefix, end, in)
		}
	})
}

func TestDueTimesKeepMicrosecondsAndTheirEnds(t *testing.T) {
	moment := time.Date(2026, time.March, 3, 12, 0, 0, 123456789, time.FixedZone("-03", -3*3600))
	for _, c := range []struct{ in, want time.Time }{
		{time.Time{}, time.Time{}},
		{time.Unix(-5, 0), time.Time{}},
		{moment, moment.Truncate(time.Microsecond).UTC()},
		{Never, Never},
		{Never.AddDate(5, 0, 0), Never},
	} {
		if got := FromMicros(Micros(c.in)); !got.Equal(c.want) || got.Location() != time.UTC {
			t.Errorf("%s: %s, want %s", c.in, got, c.want)
		}
	}
}

func TestFoldingIsWhatSpanishNeeds(t *testing.T) {
	for _, pair := range [][2]string{{"ÑANDÚ", "ñandú"}, {"Straße", "STRASSE"}, {"fca", "FCA"}} {
		if Fold(pair[0]) != Fold(pair[1]) {
			t.Errorf("%s and %s differ", pair[0], pair[1])
		}
	}
	if Fold("ñ") == Fold("n") {
		t.Error("accents count")
	}
}

func TestErrorsDoNotRepeatPagesOfText(t *testing.T) {
	s := Schema{Name: "x"}
	err := s.Check(Document{ID: strings.Repeat("ñ", 5000)})
	if err == nil || len(err.Error()) > 250 {
		t.Errorf("%v", err)
	}
}
