package arca

import (
	"slices"
	"time"
)

// Profile is a set of rules.
type Profile string

const (
	// Friendly needs no preparation: every point of sale may be used, WSAA gives tickets
	// as often as asked, and the recipient's condition is always compulsory, so that
	// nothing passes here that ARCA would refuse after 2026-12-01.
	Friendly Profile = "friendly"
	// ARCAs are the rules of the real thing: in production only the points of sale in
	// Knobs.PointsOfSale (codes 10005 and 11002), ten minutes between two logins in
	// testing and two in production, the recipient's condition compulsory in production
	// from 2026-12-01 and remarked on before (10245).
	ARCAs Profile = "arca"
)

// arcaConditionFrom is when manual v4.8 comes into force.
const arcaConditionFrom = "20261201"

// guard is the window of WSAA in an environment (specification, "reuso del TA").
func (k Knobs) guard(environment string) time.Duration {
	switch {
	case k.GuardWindow > 0 || k.Profile != ARCAs:
		return time.Duration(k.GuardWindow)
	case environment == Production:
		return 2 * time.Minute
	}
	return 10 * time.Minute
}

// mayUse says whether a taxpayer may use a point of sale for CAE; without a list, any but in
// production under ARCA's own rules.
func (k Knobs) mayUse(environment string, cuit int64, ptoVta int) bool {
	if _, ok := k.contingency(cuit, ptoVta); ok {
		return false
	}
	list, ok := k.PointsOfSale[cuit]
	if !ok {
		return k.Profile != ARCAs || environment != Production
	}
	return slices.Contains(list, ptoVta)
}

// wantsCondition says whether a voucher without CondicionIVAReceptorId is refused on a
// day (yyyymmdd).
func (k Knobs) wantsCondition(environment, today string) bool {
	from := k.ConditionFrom
	if from == "" && k.Profile == ARCAs {
		from = arcaConditionFrom
	}
	return environment != Production || today >= from
}
