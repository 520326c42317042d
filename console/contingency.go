package console

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// outage is a time during which the authority counts as away for the company.
type outage struct {
	ID          string     `json:"id"`
	Authority   string     `json:"authority"`
	Environment string     `json:"environment"`
	State       string     `json:"state"`
	Since       time.Time  `json:"since"`
	Cause       string     `json:"cause"`
	Reason      *string    `json:"reason"`
	Calls       int        `json:"failing_calls"`
	Until       *time.Time `json:"until"`
	Closed      *struct {
		Cause  string  `json:"cause"`
		Reason *string `json:"reason"`
	} `json:"closed_by"`
}

// window is a time in which documents of a point of sale are issued by contingency.
type window struct {
	PointOfSale int        `json:"point_of_sale"`
	Point       int        `json:"contingency_point_of_sale"`
	Environment string     `json:"environment"`
	Cause       string     `json:"cause"`
	OpenedAt    time.Time  `json:"opened_at"`
	ClosedAt    *time.Time `json:"closed_at"`
	Reason      *string    `json:"reason"`
}

// contingent is how a point of sale goes on while the authority is away.
type contingent struct {
	PointOfSale  int     `json:"point_of_sale"`
	Point        int     `json:"contingency_point_of_sale"`
	Mode         string  `json:"mode"`
	AfterMinutes int     `json:"after_minutes"`
	MaxHours     int     `json:"max_hours"`
	Open         *window `json:"open"`
	Use          *use    `json:"-"`
}

// use is the share of the month that a point of sale issued by contingency.
type use struct {
	PointOfSale int    `json:"point_of_sale"`
	Documents   int64  `json:"documents"`
	Contingency int64  `json:"contingency"`
	Share       string `json:"share_percent"`
	HourShare   string `json:"hours_percent"`
	Warning     bool   `json:"warning"`
}

// fortnight is a code that the authority gave ahead, and what was issued and reported by it.
type fortnight struct {
	Environment string   `json:"environment"`
	Period      string   `json:"period"`
	Order       int      `json:"order"`
	State       string   `json:"state"`
	Code        *string  `json:"code"`
	From        *string  `json:"from"`
	To          *string  `json:"to"`
	ReportUntil *string  `json:"report_until"`
	Issued      int64    `json:"issued"`
	Reported    int64    `json:"reported"`
	Due         int64    `json:"due"`
	Doubted     []int    `json:"doubted"`
	Remarks     []said   `json:"remarks"`
	Refusal     []said   `json:"refusal"`
	Warnings    []string `json:"warnings"`
}

// Name is the fortnight, such as 2026-11/2.
func (f fortnight) Name() string {
	if len(f.Period) != len("200601") {
		return f.Period
	}
	return f.Period[:4] + "-" + f.Period[4:] + "/" + strconv.Itoa(f.Order)
}

// Standing is its state in the console's words: held means something else of a series.
func (f fortnight) Standing() string {
	if f.State == "held" {
		return "in hand"
	}
	return f.State
}

// warningNames are the warnings about a code in words; one that is not here shows its own name.
var warningNames = map[string]string{
	"not_held": "It was not held two days before it begins", "three_days_left": "Three days were left to report",
	"one_day_left": "One day was left to report", "overdue": "The last day to report is over",
}

// shownRows bounds each list of the page: the API has the rest.
const shownRows = "?per_page=20"

// contingencyPage is what the page of contingencies shows.
type contingencyPage struct {
	Away         []outage
	Ahead        bool // codes are given ahead in the company's country
	Points       []contingent
	Codes        []fortnight
	Windows      []window
	Modes        []option
	Environments []option
	Environment  string // the company's
}

// contingency has when the authority was away, and what was issued meanwhile by codes given ahead.
func (v *visit) contingency() error { return v.showContingency(http.StatusOK) }

func (v *visit) showContingency(status int) error {
	var away list[outage]
	if err := v.get(v.contingencyRoute("outages")+shownRows, &away); err != nil {
		return err
	}
	codes, err := v.catalogue()
	if err != nil {
		return err
	}
	page := contingencyPage{Away: away.Data, Ahead: len(codes["contingency_types"]) > 0,
		Environments: environments, Modes: []option{{Value: "manual", Name: "manual"},
			{Value: "automatic", Name: "automatic"}, {Value: "off", Name: "off"}}}
	var certificates list[certificate]
	if err := v.get(v.contingencyRoute("certificates"), &certificates); err != nil {
		return err
	}
	page.Environment = environmentOf(certificates.Data)
	if page.Ahead {
		if err := v.readAhead(&page); err != nil {
			return err
		}
	}
	v.render(status, "contingency", "Contingency", page)
	return nil
}

// environmentOf is that of the newest certificate, as invoices take it; Production before there is one.
func environmentOf(all []certificate) string {
	if len(all) == 0 {
		return "Production"
	}
	return slices.MaxFunc(all, func(a, b certificate) int { return a.UploadedAt.Compare(b.UploadedAt) }).Environment
}

func (v *visit) contingencyRoute(parts ...string) string {
	return route(append([]string{"companies", v.company}, parts...)...)
}

// readAhead reads what there is only where codes are given ahead.
func (v *visit) readAhead(page *contingencyPage) error {
	var points list[contingent]
	if err := v.get(v.contingencyRoute("contingency")+"?per_page=100", &points); err != nil {
		return err
	}
	var uses struct {
		Points []use `json:"points_of_sale"`
	}
	if err := v.get(v.contingencyRoute("contingency", "use"), &uses); err != nil {
		return err
	}
	for i := range points.Data {
		at := slices.IndexFunc(uses.Points, func(u use) bool { return u.PointOfSale == points.Data[i].PointOfSale })
		if at >= 0 {
			points.Data[i].Use = &uses.Points[at]
		}
	}
	var codes list[fortnight]
	if err := v.get(v.contingencyRoute("contingency", "codes")+shownRows, &codes); err != nil {
		return err
	}
	var windows list[window]
	if err := v.get(v.contingencyRoute("contingency", "windows")+shownRows, &windows); err != nil {
		return err
	}
	page.Points, page.Codes, page.Windows = points.Data, codes.Data, windows.Data
	return nil
}

// missingPoint is what a form without an ordinary point of sale is answered: the API has it in the address.
var missingPoint = &Problem{Status: http.StatusUnprocessableEntity, Constant: "VALIDATION_FAILED",
	Title: "Something is missing", Detail: "Write the number of the ordinary point of sale."}

// setContingency says how a point of sale goes on while the authority is away.
func (v *visit) setContingency() error {
	point := strings.TrimSpace(v.form.Get("_point"))
	if n, err := strconv.Atoi(point); err != nil || n < 1 {
		return v.again(missingPoint.of("_point", v.language), v.showContingency)
	}
	if err := v.put(v.contingencyRoute("contingency", point), v.body()); err != nil {
		return v.again(err, v.showContingency)
	}
	return v.done(v.within("contingency"), "contingency")
}

// of is the problem as that of one field.
func (p Problem) of(path, language string) *Problem {
	p.Faults = []faultLine{{Path: path, Code: "REQUIRED", Message: say(language, p.Detail)}}
	return &p
}

func (v *visit) openContingency() error {
	return v.contingencyStep("contingency-open", "contingency", v.r.PathValue("point"), "open")
}

func (v *visit) closeContingency() error {
	return v.contingencyStep("contingency-closed", "contingency", v.r.PathValue("point"), "close")
}

func (v *visit) openOutage() error { return v.contingencyStep("outage-open", "outages") }

func (v *visit) closeOutage() error {
	return v.contingencyStep("outage-closed", "outages", v.r.PathValue("outage"), "close")
}

func (v *visit) contingencyStep(note string, path ...string) error {
	if err := v.post(v.contingencyRoute(path...), v.body(), nil); err != nil {
		return v.again(err, v.showContingency)
	}
	return v.done(v.within("contingency"), note)
}

// openOutages are what the overview says of the authority.
func (v *visit) openOutages() ([]outage, error) {
	var away list[outage]
	err := v.get(v.contingencyRoute("outages")+"?state=open", &away)
	return away.Data, err
}
