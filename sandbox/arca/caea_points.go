package arca

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
)

// Point is a point of sale of CAEA. Days are yyyymmdd.
type Point struct {
	Number int `json:"number"`
	// Emission is its type in the registry; empty is the one that goes with the taxpayer.
	Emission string `json:"emission,omitempty"`
	Created  string `json:"created,omitempty"` // empty: before every voucher
	Blocked  bool   `json:"blocked,omitempty"`
	Closed   string `json:"closed,omitempty"`
}

func (p Point) validate() error {
	for _, day := range []string{p.Created, p.Closed} {
		if _, err := time.Parse(dateForm, day); day != "" && err != nil {
			return errors.New("created and closed are days as yyyymmdd")
		}
	}
	if p.Number < 1 || p.Number > 99998 || p.Emission != "" && !strings.HasPrefix(p.Emission, "CAEA") {
		return errors.New("number is from 1 to 99998, emission begins with CAEA")
	}
	return nil
}

// contingency is a point of sale among those of CAEA.
func (k Knobs) contingency(cuit int64, ptoVta int) (Point, bool) {
	points := k.ContingencyPoints[cuit]
	if i := slices.IndexFunc(points, func(p Point) bool { return p.Number == ptoVta }); i >= 0 {
		return points[i], true
	}
	return Point{Number: ptoVta}, false
}

// mayReport says whether a point of sale is one of CAEA: of those that are listed, and where
// none are, neither of CAEA nor of CAE, any but in production under ARCA's own rules.
func (k Knobs) mayReport(environment string, cuit int64, ptoVta int) bool {
	_, listed := k.ContingencyPoints[cuit]
	if _, others := k.PointsOfSale[cuit]; listed || others {
		_, ok := k.contingency(cuit, ptoVta)
		return ok
	}
	return k.Profile != ARCAs || environment != Production
}

// The types of points of sale of CAEA, as the manual has them (701, 1444).
const (
	emissionIVA         = "CAEA - Fact. Elect. (RECE) - RI IVA - Contingencias"
	emissionExempt      = "CAEA - Fact. Elect. (RECE) - Exento en IVA - Contingencias"
	emissionMonotributo = "CAEA - Fact. Elect. (RECE) - Monotributo - Contingencias"
)

// emission is the type of a point of sale.
func (k Knobs) emission(cuit int64, p Point) string {
	own := map[Taxpayer]string{Exempt: emissionExempt, Monotributo: emissionMonotributo}[k.Registry[cuit]]
	return cmp.Or(p.Emission, own, emissionIVA)
}

// takes says whether vouchers of a class may be issued at a point of sale (1444); one that is
// not listed takes all.
func (k Knobs) takes(cuit int64, ptoVta int, c class) bool {
	p, listed := k.contingency(cuit, ptoVta)
	ofC := strings.Contains(k.emission(cuit, p), "Exento") || strings.Contains(k.emission(cuit, p), "Monotributo")
	return !listed || ofC == (c == classC)
}
