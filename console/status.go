package console

import (
	"net/http"
	"time"
)

// authority is how an authority was last seen.
type authority struct {
	Name        string     `json:"authority"`
	Environment string     `json:"environment"`
	Up          bool       `json:"up"`
	Since       time.Time  `json:"since"`
	LastSuccess *time.Time `json:"last_success"`
	LastFailure *time.Time `json:"last_failure"`
	Fault       string     `json:"fault"`
	NextTry     *time.Time `json:"next_try"`
}

// projection is how far a read model came.
type projection struct {
	Name       string  `json:"name"`
	State      string  `json:"state"`
	Position   *string `json:"position"`
	LagSeconds float64 `json:"lag_seconds"`
}

// LagText is how old what it shows is.
func (p projection) LagText() string {
	return (time.Duration(p.LagSeconds*1000) * time.Millisecond).Round(time.Millisecond).String()
}

// status shows the authorities and the read models of the service.
func (v *visit) status() error {
	var seen struct {
		Data    []authority     `json:"data"`
		Outages []companyOutage `json:"outages"`
		Open    int             `json:"outages_open"`
	}
	if err := v.get(route("authority"), &seen); err != nil {
		return err
	}
	var built list[projection]
	var unknown *Problem // while the log is away nobody knows how far behind it the read models are
	if err := v.get(route("projections"), &built); err != nil {
		unknown = v.problemOf(err)
	}
	v.render(http.StatusOK, "status", "Status", struct {
		Authorities []authority
		Outages     []companyOutage
		More        int // open ones that are not shown
		Projections []projection
		Unknown     *Problem
	}{seen.Data, seen.Outages, seen.Open - len(seen.Outages), built.Data, unknown})
	return nil
}

// companyOutage is an outage that is open for a company of the account: an authority that answers others may be away
// for one.
type companyOutage struct {
	Company string `json:"id_company"`
	Name    string `json:"legal_name"`
	outage
}
