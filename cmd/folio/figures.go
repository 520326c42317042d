package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"time"

	"folio/country"
	"folio/country/ar"
	"folio/country/uy"
	"folio/money"
)

// defaultFigures are those that change by decree, as they were when this program was
// made. Chile asks nobody to be named in a boleta.
func defaultFigures() map[string]country.Config {
	return map[string]country.Config{
		"AR": {IdentificationThreshold: ar.DefaultThreshold},
		"UY": {UnitValues: maps.Clone(uy.DefaultUnits)},
	}
}

// figure is an amount, as a number or as text.
type figure struct{ money.Decimal }

// UnmarshalJSON reads either without a float between.
func (f *figure) UnmarshalJSON(raw []byte) error {
	a, err := money.Parse(string(bytes.Trim(raw, `"`)))
	if err != nil {
		return err
	}
	if a.Sign() <= 0 || !country.Bounded(a) {
		return fmt.Errorf("%s is no figure: it is above 0, with at most %d digits before and %d after the point", a, country.MaxWholeDigits, country.MaxDecimals)
	}
	f.Decimal = a
	return nil
}

// readFigures are the default figures with those of the file of --figures over them. The
// file is refused as a whole when anything in it is not known, so that a mistyped name is
// noticed at the start and not by the tax authority.
func readFigures(file string) (map[string]country.Config, error) {
	all := defaultFigures()
	if file == "" {
		return all, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--figures: %w", err)
	}
	var given map[string]struct {
		IdentificationThreshold *figure        `json:"identification_threshold"`
		UnitValues              map[int]figure `json:"unit_values"`
	}
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	if err := d.Decode(&given); err != nil {
		return nil, fmt.Errorf("--figures: read %s: %w", file, err)
	}
	for _, code := range slices.Sorted(maps.Keys(given)) {
		f, c := given[code], all[code]
		switch {
		case code != "AR" && code != "CL" && code != "UY":
			return nil, fmt.Errorf("--figures: %q is no country with figures: use AR, CL and UY", code)
		case code == "UY" && f.IdentificationThreshold != nil:
			return nil, fmt.Errorf("--figures: UY counts its threshold in units: give unit_values")
		case code != "UY" && f.UnitValues != nil:
			return nil, fmt.Errorf("--figures: %s has no unit_values: give identification_threshold", code)
		}
		if f.IdentificationThreshold != nil {
			c.IdentificationThreshold = f.IdentificationThreshold.Decimal
		}
		for year, value := range f.UnitValues {
			if year < 2011 || year > 2100 {
				return nil, fmt.Errorf("--figures: unit_values of UY are by year, and %d is none", year)
			}
			c.UnitValues[year] = value.Decimal
		}
		all[code] = c
	}
	return all, nil
}

// warnOfFigures says at the start when a figure of this year is missing.
func warnOfFigures(all map[string]country.Config, now time.Time, logger *slog.Logger) {
	today := now.In(uy.Rules{}.Location())
	if _, year, _ := uy.Threshold(today, all["UY"]); year != today.Year()-1 {
		logger.Warn("the UI of 31 December of last year is not known: Uruguay's threshold of e-Tickets is counted in an older one, which is stricter; give unit_values in the file of --figures",
			"missing", today.Year()-1, "used", year)
	}
}
