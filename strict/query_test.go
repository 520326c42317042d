package strict

import (
	"net/http/httptest"
	"testing"

	"folio/fault"
)

func TestQueryParameters(t *testing.T) {
	for _, c := range []struct {
		query string
		page  int64
		want  []string
	}{
		{"", 1, nil}, {"page=", 1, nil}, {"page=2", 2, nil}, {"page=1000000000", 1e9, nil}, {"&&page=2&", 2, nil},
		{"page=0", 1, []string{"page OUT_OF_RANGE"}},
		{"page=-1", 1, []string{"page OUT_OF_RANGE"}},
		{"page=1000000001", 1, []string{"page OUT_OF_RANGE"}},
		{"page=99999999999999999999", 1, []string{"page NOT_AN_INTEGER"}},
		{"page=abc", 1, []string{"page NOT_AN_INTEGER"}},
		{"page=1e9", 1, []string{"page NOT_AN_INTEGER"}},
		{"page=1.0", 1, []string{"page NOT_AN_INTEGER"}},
		{"page=%2B1", 1, []string{"page NOT_AN_INTEGER"}},
		{"page=+1", 1, []string{"page NOT_AN_INTEGER"}},
		{"page=1&page=2", 1, []string{"page REPEATED"}},
		{"page=%zz", 1, []string{"page INVALID_ENCODING"}},
		{"page=%ff", 1, []string{"page INVALID_ENCODING"}},
		{"%ff=1", 1, []string{"%ff INVALID_ENCODING"}},
		{"pgae=2", 1, []string{"pgae UNKNOWN_FIELD"}},
		{"a[0]=2", 1, []string{`["a[0]"] UNKNOWN_FIELD`}},
		{"page=1;status=2", 1, []string{"page NOT_AN_INTEGER"}},
		{"status=x&date_from=2024-02-30&page=0&z=1", 1,
			[]string{"page OUT_OF_RANGE", "date_from NOT_A_DATE", "status NOT_ALLOWED", "z UNKNOWN_FIELD"}},
	} {
		r := httptest.NewRequest("GET", "/invoice/list", nil)
		r.URL.RawQuery = c.query
		q := ReadQuery(r)
		page := q.Int("page", 1, Between(1, 1e9))
		q.Date("date_from")
		q.String("status", OneOf("Accepted"))
		got := codes(q.Done())
		if c.query == "%ff=1" {
			c.want = []string{`["%ff"] INVALID_ENCODING`}
		}
		if !same(got, c.want) {
			t.Errorf("%s: %v, want %v", c.query, got, c.want)
		}
		if page != c.page {
			t.Errorf("%s reads as page %d, want %d", c.query, page, c.page)
		}
	}
}

func FuzzQuery(f *testing.F) {
	f.Add("page=1&status=x")
	f.Add("page=%ff&page=2&%zz=;")
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.URL.RawQuery = query
		q := ReadQuery(r)
		if page := q.Int("page", 1, Between(1, 9)); page < 1 || page > 9 {
			t.Fatalf("page is %d", page)
		}
		q.String("status", MaxLen(3))
		q.Date("date_from")
		if err := q.Done(); err != nil && fault.As(err).Code != fault.Invalid {
			t.Fatal(err)
		}
	})
}
