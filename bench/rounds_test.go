package main

import (
	"testing"
	"time"
)

func TestTheSpreadIsMedianAndQuartiles(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		want   spread
	}{
		"nothing":     {nil, spread{}},
		"one":         {[]float64{3}, spread{3, 3, 3}},
		"odd, mixed":  {[]float64{5, 1, 3, 2, 4}, spread{2, 3, 4}},
		"even number": {[]float64{4, 1, 3, 2}, spread{1.75, 2.5, 3.25}},
	} {
		if got := spreadOf(c.values); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestARatioPairsTheSamplesOfARound(t *testing.T) {
	of := func(ops ...int) (out []sample) {
		for _, n := range ops {
			out = append(out, sample{ops: n, wall: time.Second})
		}
		return out
	}
	// The machine was ten times slower in the second round; the ratio is not.
	got := ratio(of(300, 30, 300), of(100, 10, 100), sample.rate)
	if want := (spread{3, 3, 3}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
