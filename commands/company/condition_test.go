package company_test

import (
	"testing"
	"time"

	"folio/commands/company"
	"folio/events"
)

func TestTheConditionThatCountsIsTheOneInForceOnTheDay(t *testing.T) {
	type set struct{ at, condition string }
	// Half past two in the morning, UTC, is the evening before in Argentina.
	changed := []set{{"2026-03-01T12:00:00Z", "monotributo"}, {"2026-06-02T02:30:00Z", "responsable_inscripto"}}
	argentina := time.FixedZone("", -3*60*60)
	for _, c := range []struct {
		name string
		sets []set
		date string
		want string
	}{
		{"no profile", nil, "2026-06-01", ""},
		{"the first one counts for earlier days", changed, "2026-02-01 10:00:00", "monotributo"},
		{"the day before the change", changed, "2026-05-31 23:59:59", "monotributo"},
		{"the local day of the change", changed, "2026-06-01 00:00:00", "responsable_inscripto"},
		{"a day to come", changed, "2027-01-01", "responsable_inscripto"},
		{"a date that cannot be read: the present one", changed, "soon", "responsable_inscripto"},
		{"no date: the present one", changed, "", "responsable_inscripto"},
		{"put right on the same day", []set{{"2026-03-01T12:00:00Z", "exento"}, {"2026-03-01T13:00:00Z", "monotributo"},
			{"2026-03-01T14:00:00Z", "exento"}}, "2026-03-01", "exento"},
		{"the same again is no change", append(changed, set{"2026-07-01T12:00:00Z", "responsable_inscripto"}), "2026-06-15",
			"responsable_inscripto"},
		{"none was told at first", []set{{"2026-03-01T12:00:00Z", ""}, {"2026-06-01T12:00:00Z", "exento"}}, "2026-02-01",
			"exento"},
		{"none is told any more", append(changed, set{"2026-07-01T12:00:00Z", ""}), "2026-07-01", ""},
		{"before none was told", append(changed, set{"2026-07-01T12:00:00Z", ""}), "2026-06-30", "responsable_inscripto"},
		{"the next one counts for a time without any",
			append(changed, set{"2026-07-01T12:00:00Z", ""}, set{"2026-08-01T12:00:00Z", "exento"}), "2026-07-15", "exento"},
		{"left out for a while and told again",
			append(changed, set{"2026-07-01T12:00:00Z", ""}, set{"2026-08-01T12:00:00Z", "responsable_inscripto"}), "2026-07-15",
			"responsable_inscripto"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := company.Decider.Next(company.State{}, registered, time.Time{})
			for _, x := range c.sets {
				at, err := time.Parse(time.RFC3339, x.at)
				if err != nil {
					t.Fatal(err)
				}
				s = company.Decider.Next(s, events.FiscalProfileSet{Profile: events.FiscalProfile{TaxCondition: x.condition}}, at)
			}
			present := s.Profile.TaxCondition
			if got := s.On(c.date, argentina).Issuer().Profile.TaxCondition; got != c.want {
				t.Errorf("in force is %q, want %q", got, c.want)
			}
			if s.Profile.TaxCondition != present {
				t.Errorf("asking changed the present condition to %q", s.Profile.TaxCondition)
			}
		})
	}
}

func TestOnlySoManyConditionsAreRemembered(t *testing.T) {
	s, at := company.State{}, time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	names := []string{"monotributo", "exento"}
	set := func(i int) { // one a day
		e := events.FiscalProfileSet{Profile: events.FiscalProfile{TaxCondition: names[i%2]}}
		s = company.Decider.Next(s, e, at.AddDate(0, 0, i))
	}
	day := func(i int) string {
		return s.On(at.AddDate(0, 0, i).Format(time.DateOnly), time.UTC).Profile.TaxCondition
	}
	for i := range 100 {
		set(i)
	}
	if day(0) != "monotributo" || day(1) != "exento" {
		t.Errorf("of a hundred: %q, %q", day(0), day(1))
	}
	set(100)
	if day(0) != "exento" || day(1) != "exento" || day(2) != "monotributo" || day(100) != "monotributo" {
		t.Errorf("of one more: %q, %q, %q, %q", day(0), day(1), day(2), day(100))
	}
}
