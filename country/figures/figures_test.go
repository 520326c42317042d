package figures_test

import (
	"strings"
	"testing"
	"time"

	"folio/country/figures"
	"folio/money"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestWhatIsInForceOnADay(t *testing.T) {
	for _, c := range []struct{ country, name, on, want string }{
		{"AR", figures.ConsumerThreshold, "2025-06-01", "10000000"},
		{"AR", figures.ConsumerThreshold, "2026-11-28", "10000000"},
		{"CL", figures.ConsumerThreshold, "2025-08-31", ""},
		{"CL", figures.ConsumerThreshold, "2025-09-01", "5186253.15"},
		{"CL", figures.ConsumerThreshold, "2025-12-31", "5186253.15"},
		{"CL", figures.ConsumerThreshold, "2026-01-01", "5363274.60"},
		{"CL", figures.ConsumerThreshold, "2027-03-01", "5363274.60"}, // the old one stays
		{"CL", figures.GoodsInTransit, "2026-10-31", ""},
		{"CL", figures.GoodsInTransit, "2026-11-01", "1"},
		{"UY", figures.TicketUnits, "2022-10-31", "10000"},
		{"UY", figures.TicketUnits, "2022-11-01", "5000"},
		{"UY", figures.UnitValue, "2025-12-31", "6.16"},
		{"UY", figures.UnitValue, "2026-01-01", "6.42"},
		{"UY", figures.UnitValue, "2021-06-01", ""},
	} {
		got, ok := figures.Table{}.At(c.country, c.name, day(c.on))
		if ok != (c.want != "") || ok && got.Value.String() != c.want {
			t.Errorf("%s %s on %s: %s %v, want %s", c.country, c.name, c.on, got.Value, ok, c.want)
		}
		if ok && got.Source == "" {
			t.Errorf("%s %s of %s has no source", c.country, c.name, got.Since)
		}
	}
}

func TestAddedFiguresReplaceAndFollow(t *testing.T) {
	row := func(country, name, since, value string) figures.Figure {
		return figures.Figure{Country: country, Name: name, Since: since, Value: money.MustParse(value), Source: "test"}
	}
	all, err := figures.Table{}.With(
		row("CL", figures.GoodsInTransit, "2026-11-01", "0"), row("CL", figures.GoodsInTransit, "2027-05-01", "1"),
		row("UY", figures.UnitValue, "2027-01-01", "6.71"))
	if err != nil {
		t.Fatal(err)
	}
	for on, want := range map[string]bool{"2026-11-01": false, "2027-04-30": false, "2027-05-01": true} {
		if all.Holds("CL", figures.GoodsInTransit, day(on)) != want {
			t.Errorf("a postponed duty on %s", on)
		}
	}
	if f, _ := all.At("UY", figures.UnitValue, day("2027-07-07")); f.Value.String() != "6.71" {
		t.Error(f)
	}
	if !(figures.Table{}).Holds("CL", figures.GoodsInTransit, day("2026-11-01")) {
		t.Error("an added figure changed the built-in table")
	}
	for says, bad := range map[string]figures.Figure{
		"tresholds": row("AR", "tresholds", "2026-01-01", "1"), "BR": row("BR", figures.UnitValue, "2026-01-01", "1"),
		"YYYY-MM-DD": row("UY", figures.UnitValue, "2026", "1"), "-1": row("UY", figures.UnitValue, "2026-01-01", "-1"),
		"99999999999999": row("UY", figures.UnitValue, "2026-01-01", "99999999999999"),
	} {
		if _, err := (figures.Table{}).With(bad); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestAYearWithoutItsFigureIsMissing(t *testing.T) {
	on := func(s string) func(string) time.Time { return func(string) time.Time { return day(s) } }
	if got := (figures.Table{}).Missing(on("2026-12-31")); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	if got := (figures.Table{}).Missing(on("2025-06-01")); len(got) != 0 { // Chile's rule begins in September
		t.Errorf("%+v", got)
	}
	got := figures.Table{}.Missing(on("2027-01-01"))
	if len(got) != 2 || got[0] != (figures.Missing{Country: "CL", Name: figures.ConsumerThreshold, Year: 2027,
		Used: "2026-01-01", Value: "5363274.60"}) ||
		got[1].Country != "UY" || got[1].Value != "6.42" {
		t.Errorf("%+v", got)
	}
}

func TestEveryNameHasAFigureAndEveryFigureAName(t *testing.T) {
	if got := (figures.Table{}).InForce(day("2026-11-28")); len(got) != len(figures.Names) {
		t.Errorf("%d of %d names have a figure: %+v", len(got), len(figures.Names), got)
	}
}
