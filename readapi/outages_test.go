package readapi_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"folio/events"
	"folio/waiting"
)

func TestTheOutagesOfACompany(t *testing.T) {
	at := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	opened := func(company, id, cause string) given {
		return given{Stream: "outage-" + company + "-Production-arca", Event: events.AuthorityOutageOpened{Outage: id,
			Company: company, Environment: "Production", Authority: "arca", Cause: cause, Since: at, Calls: 3,
			Evidence: []events.FailingCall{{At: at, Fault: "timeout"}}}}
	}
	w := newWorld(t, company("A1", "C1"), company("A2", "C2"), opened("C1", "O1", "calls"),
		given{Stream: "outage-C1-Production-arca", Event: events.AuthorityOutageClosed{Outage: "O1", Company: "C1",
			Environment: "Production", Authority: "arca", Cause: "call", Operation: "FECAESolicitar", Since: at,
			Until: at.Add(time.Hour), Seconds: 3600}},
		opened("C1", "O2", "operator"))
	type outage struct {
		ID, State, Cause string
		Evidence         []struct{ Fault string }
		Seconds          *int64                      `json:"duration_seconds"`
		Closed           *struct{ Operation string } `json:"closed_by"`
	}
	var list struct {
		Total int `json:"total_results"`
		Data  []outage
	}
	w.get("/api/companies/C1/outages", key1).want(200).into(&list)
	if list.Total != 2 || list.Data[0].ID != "O2" || list.Data[0].Closed != nil || list.Data[0].Seconds != nil {
		t.Fatalf("list %+v", list)
	}
	if o := list.Data[1]; o.State != "closed" || *o.Seconds != 3600 || o.Closed.Operation != "FECAESolicitar" ||
		len(o.Evidence) != 1 {
		t.Errorf("the first one is %+v", o)
	}
	w.get("/api/companies/C1/outages?state=open", key1).want(200).into(&list)
	if list.Total != 1 || list.Data[0].ID != "O2" {
		t.Errorf("open: %+v", list)
	}
	w.get("/api/companies/C1/outages?state=ajar", key1).fails(422, "VALIDATION_FAILED", "state NOT_ALLOWED")
	w.get("/api/companies/C1/outages", key2).fails(403, "OTHER_COMPANY")

	var seen struct {
		Data []struct {
			Up     bool
			Outage *struct{ ID string }
		}
	}
	w.get("/api/authority", key1).want(200).into(&seen)
	if len(seen.Data) != 1 || seen.Data[0].Up || seen.Data[0].Outage == nil {
		t.Errorf("an authority that nobody called is %+v", seen)
	}
	check(t, w.authorities.Put(t.Context(), waiting.Authority{Authority: "arca", Environment: "Production", Up: true,
		Since: at}))
	w.get("/api/authority", key1).want(200).into(&seen)
	if len(seen.Data) != 1 || seen.Data[0].Up || seen.Data[0].Outage == nil || seen.Data[0].Outage.ID != "O2" {
		t.Errorf("the company's authority is %+v", seen)
	}
	seen.Data = nil
	w.get("/api/authority", key2).want(200).into(&seen)
	if len(seen.Data) != 1 || !seen.Data[0].Up || seen.Data[0].Outage != nil {
		t.Errorf("another company's is %+v: none of its business", seen)
	}
	// A key that only reads leaves a line where it is told something of its company.
	w.get("/api/authority", key2+"-reads").want(200)
	w.get("/api/authority", key1+"-reads").want(200)
	if want := []string{"key:K-C1-reads /api/authority"}; !slices.Equal(w.seen, want) {
		t.Errorf("kept %q, want %q", w.seen, want)
	}
}

// TestAnAccountSeesEveryOutageOfItsCompanies, however many it has, in one answer that is bounded.
func TestAnAccountSeesEveryOutageOfItsCompanies(t *testing.T) {
	at := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	all := []given{company("A2", "C0")}
	const companies = 60
	for i := range companies {
		id := fmt.Sprintf("D%02d", i)
		all = append(all, company("A1", id), given{Stream: "outage-" + id + "-Production-arca",
			Event: events.AuthorityOutageOpened{Outage: "O" + id, Company: id, Environment: "Production", Authority: "arca",
				Cause: "calls", Since: at, Calls: 3}})
	}
	w := newWorld(t, all...)
	type answered struct {
		Outages []struct {
			Company   string `json:"id_company"`
			LegalName string `json:"legal_name"`
		}
		Open int `json:"outages_open"`
	}
	var own, other answered
	w.get("/api/authority", ana).want(200).into(&own)
	if own.Open != companies || len(own.Outages) != 50 || own.Outages[0].Company != "D59" ||
		own.Outages[0].LegalName == "" {
		t.Errorf("%d of %d are told: %+v", len(own.Outages), own.Open, own.Outages)
	}
	w.get("/api/authority", bob).want(200).into(&other)
	if other.Open != 0 || other.Outages != nil {
		t.Errorf("another account is told %+v", other)
	}
}
