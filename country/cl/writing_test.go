package cl_test

import (
	"strings"
	"testing"
	"time"

	"folio/country"
	"folio/country/cl"
	"folio/country/countrytest"
)

func TestWhatPeoplePasteIsWrittenInSIIsLetters(t *testing.T) {
	for given, want := range map[string]string{
		"Cafe\u0301 Nun\u0303oa": "Café Nuñoa", "€ 10": "EUR 10", "a – b — c": "a - b - c", "“x” ‘y’ …": `"x" 'y' ...`,
		"1\u202f000\u200b": "1 000", "œuvre™": "oeuvre(TM)", "«ñ°»": "«ñ°»", "日": "日",
	} {
		if got := cl.Written(given); got != want {
			t.Errorf("%q is written %q, want %q", given, got, want)
		}
	}
	d := document("FAC")
	d.Recipient.LegalName, d.Items[0].Description = "Cafe\u0301 – Ltda", strings.Repeat("…", 30)+" “fin”"
	c := mustAccept(t, d)
	if c.Document.Recipient.LegalName != d.Recipient.LegalName {
		t.Errorf("a read shows %q", c.Document.Recipient.LegalName)
	}
	out := xmlOf(t, c)
	if _, err := cl.ToLatin1(out); err != nil || !strings.Contains(out, "<RznSocRecep>Café - Ltda</RznSocRecep>") ||
		!strings.Contains(out, "&#34;fin&#34;") {
		t.Errorf("%v %s", err, out)
	}
}

// The pesos of an export have 14 digits (MntTotOtrMnda).
func TestPesosOfAnExportAreBounded(t *testing.T) {
	for price, want := range map[string][]string{
		"99999999999.99": nil, "999999999999.99": {"totals.total CL-CURRENCY-04"},
	} {
		d := document("FXE")
		d.Items, d.ExportInfo = one("1", price, "0", "exempt"), nil
		d.Currency.Rate = dec("999")
		_, vs := check(calculated(d, "0"))
		countrytest.MustRefuse(t, vs, want...)
	}
}

// At half past eleven of a winter's evening in Santiago it is the next day in the south.
func TestADayIsThatOfTheCompanysZone(t *testing.T) {
	winter := time.Date(2026, 7, 2, 3, 30, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		region, zone, date, stamped string
		refused                     bool
	}{
		"Santiago":            {"CL-RM", "", "2026-07-02", "", true},
		"Santiago today":      {"CL-RM", "", "2026-07-01", "2026-07-01T23:30:00", false},
		"Magallanes":          {"CL-MA", "", "2026-07-02", "2026-07-02T00:30:00", false},
		"Aysén":               {"CL-AI", "", "2026-07-02", "2026-07-02T00:30:00", false},
		"said by the profile": {"CL-RM", "America/Punta_Arenas", "2026-07-02", "2026-07-02T00:30:00", false},
		"said against region": {"CL-MA", "America/Santiago", "2026-07-02", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			who := company
			who.Profile.Address.Region = c.region
			who.Fields = map[string]string{}
			for k, v := range company.Fields {
				who.Fields[k] = v
			}
			if c.zone != "" {
				who.Fields[cl.FieldTimeZone] = c.zone
			}
			d := document("FAC")
			d.Date = c.date + " 00:00:00"
			checked, vs := cl.Rules{}.Check(d, who, winter, country.Config{})
			if c.refused {
				countrytest.MustRefuse(t, vs, "invoice_date CL-DATE-03")
				return
			}
			countrytest.MustRefuse(t, vs)
			if got := winter.In(cl.LocationOf(checked.Document)).Format("2006-01-02T15:04:05"); got != c.stamped {
				t.Errorf("stamped at %s, want %s", got, c.stamped)
			}
		})
	}
}
