package cache_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"folio/cache"
)

func length(s string) int { return len(s) }

func TestWhatWasNotUsedForLongestMakesRoom(t *testing.T) {
	c := cache.New(10*1024, length)
	value := strings.Repeat("x", 1024)
	for i := range 8 {
		c.Add(fmt.Sprint(i), value)
	}
	c.Get("0")
	c.Peek("1")
	c.Add("8", value)
	for key, want := range map[string]bool{"0": true, "1": false, "2": true, "8": true} {
		if _, ok := c.Peek(key); ok != want {
			t.Errorf("%s is kept: %v", key, ok)
		}
	}
}

func TestALargeValueIsNotKeptAndTakesTheOldOneAway(t *testing.T) {
	c := cache.New(8*1024, length)
	c.Add("a", "small")
	c.Add("b", "other")
	c.Add("a", strings.Repeat("x", 4096))
	if v, ok := c.Get("a"); ok {
		t.Errorf("%d bytes are kept", len(v))
	}
	if _, ok := c.Get("b"); !ok {
		t.Error("others had to go")
	}
}

func TestAValuePutAgainCountsOnce(t *testing.T) {
	c := cache.New(8*1024, length)
	c.Add("b", "other")
	for range 100 {
		c.Add("a", strings.Repeat("x", 1000))
	}
	if _, ok := c.Get("b"); !ok {
		t.Error("the first one had to go")
	}
	c.Remove("a")
	if _, ok := c.Get("a"); ok {
		t.Error("it is still there")
	}
}

func TestSizeOf(t *testing.T) {
	type part struct {
		Name string
		at   time.Time
		next *part
	}
	word := strings.Repeat("x", 100)
	for name, c := range map[string]struct {
		v    any
		want int
	}{
		"nothing":       {nil, 0},
		"a number":      {int64(1), 8},
		"text":          {word, 16 + 100},
		"bytes":         {make([]byte, 10, 1000), 24 + 1000},
		"a struct":      {part{Name: word, at: time.Now()}, 48 + 100},
		"a list":        {&part{Name: word, next: &part{Name: word}}, 8 + 2*(48+100)},
		"an unset part": {(*part)(nil), 8},
		"texts":         {[]string{word, word}, 24 + 2*(16+100)},
		"a map":         {map[string]*part{word: {}}, 8 + 16 + 8 + 100 + 48},
		"any":           {[]any{word, nil}, 24 + 2*16 + 16 + 100},
	} {
		if got := cache.SizeOf(c.v); got != c.want {
			t.Errorf("%s: %d bytes, want %d", name, got, c.want)
		}
	}
}

func BenchmarkSizeOf(b *testing.B) {
	v := struct {
		IDs   []string
		Bytes []byte
		At    time.Time
	}{strings.Fields(strings.Repeat("01J0000000000000000000000 ", 20)), make([]byte, 500), time.Now()}
	for b.Loop() {
		cache.SizeOf(v)
	}
}
