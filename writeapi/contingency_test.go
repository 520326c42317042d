package writeapi_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"folio/commands"
	"folio/commands/company"
	"folio/commands/contingency"
	"folio/commands/numbering"
	"folio/events"
	"folio/fault"
)

// setting is a company whose point of sale 3 has a contingency.
type setting struct {
	shop
	path string
}

func (w *world) contingent() setting {
	w.t.Helper()
	s := w.company()
	w.certified(nil)
	w.upload("/api/companies/"+s.id+"/certificates", certificateForm(), s.key).want(201)
	path := "/api/companies/" + s.id + "/contingency/3"
	w.call("PUT", path, `{"contingency_point_of_sale":9003,"mode":"manual"}`, s.key).want(200)
	return setting{s, path}
}

// registry is what the authority says of points of sale.
type registry map[int]string

func (r registry) Contingency(_ context.Context, _ company.State, _ string, point int,
	_ time.Time) (string, error) {
	why := r[point]
	if why == "" || strings.HasPrefix(why, "CAEA") {
		return why, nil
	}
	return "", fault.Field("contingency_point_of_sale", "NOT_A_CONTINGENCY_POINT", why)
}

// What was never set has no contingency point, and switching it off is no fact.
func TestAContingencyThatWasNeverSetIsOff(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	before := len(w.log.Stream("company-" + s.id))
	for _, body := range []string{`{"mode":"off"}`, `{"contingency_point_of_sale":9003,"mode":"off","max_hours":3}`} {
		off := w.call("PUT", "/api/companies/"+s.id+"/contingency/3", body, s.key).want(200).object()
		if got := fmt.Sprint(off); got != "map[mode:off open:<nil> point_of_sale:3]" {
			t.Errorf("%s: %s", body, got)
		}
	}
	if n := len(w.log.Stream("company-" + s.id)); n != before {
		t.Errorf("%d facts of nothing", n-before)
	}
}

// ARCA refuses the report of a class that a point of sale does not take (1444), when the recipient has the paper: the
// point must be of the issuer's own condition.
func TestAContingencyPointIsOfTheIssuersCondition(t *testing.T) {
	const iva, small = "CAEA - Fact. Elect. (RECE) - RI IVA - Contingencias",
		"CAEA - Fact. Elect. (RECE) - Monotributo - Contingencias"
	for _, c := range []struct {
		emission, condition string
		taken               bool
	}{
		{iva, "responsable_inscripto", true}, {iva, "monotributo", false}, {iva, "exento", false}, {iva, "", true},
		{small, "responsable_inscripto", false}, {small, "monotributo", true},
		{"CAEA - Fact. Elect. (RECE) - Exento en IVA - Contingencias", "exento", true}, {"CAEA", "monotributo", true},
	} {
		w := newWorld(t)
		w.points = registry{8: c.emission}
		w.router = w.routes()
		s := w.company()
		w.certified(nil)
		w.upload("/api/companies/"+s.id+"/certificates", certificateForm(), s.key).want(201)
		if c.condition != "" {
			w.call("PUT", "/api/companies/"+s.id+"/fiscal-profile", `{"tax_condition":"`+c.condition+`"}`, s.key).want(200)
		}
		a := w.call("PUT", "/api/companies/"+s.id+"/contingency/3", `{"contingency_point_of_sale":8,"mode":"manual"}`, s.key)
		if c.taken {
			a.want(200)
		} else {
			a.fails(422, "VALIDATION_FAILED", "contingency_point_of_sale NOT_A_CONTINGENCY_POINT")
		}
	}
}

func TestAContingencyIsSetOpenedAndClosed(t *testing.T) {
	w := newWorld(t)
	s := w.contingent()
	w.call("PUT", s.path, `{"contingency_point_of_sale":3,"mode":"manual"}`, s.key).fails(409, "CONTINGENCY_POINT_IN_USE")
	w.call("PUT", s.path, `{"contingency_point_of_sale":0,"mode":"sometimes","after_minutes":0,"max_hours":999}`,
		s.key).fails(422, "VALIDATION_FAILED", "contingency_point_of_sale OUT_OF_RANGE", "mode NOT_ALLOWED",
		"after_minutes OUT_OF_RANGE", "max_hours OUT_OF_RANGE")
	w.call("PUT", s.path[:len(s.path)-1]+"0", `{"contingency_point_of_sale":9,"mode":"manual"}`, s.key).fails(404,
		"CONTINGENCY_NOT_FOUND")
	for _, point := range []string{"abc", "03", "99999"} {
		a := w.call("PUT", s.path[:len(s.path)-1]+point, `{"contingency_point_of_sale":9,"mode":"manual"}`, s.key)
		a.fails(404, "CONTINGENCY_NOT_FOUND")
		if !strings.Contains(a.Body.String(), "from 1 to 99998") {
			t.Errorf("%s: %s", point, a.Body)
		}
	}
	w.call("POST", s.path+"/open", `{"reason":""}`, s.key).fails(422, "VALIDATION_FAILED", "reason REQUIRED")
	open := w.call("POST", s.path+"/open", `{"reason":"ARCA is away"}`, s.key).want(200).object()
	if o, _ := open["open"].(map[string]any); o == nil || o["cause"] != "ARCA is away" ||
		fmt.Sprintf("%v %v %v", open["after_minutes"], open["max_hours"], o["contingency_point_of_sale"]) != "30 12 9003" {
		t.Errorf("%v", open)
	}
	again := w.call("PUT", s.path, `{"contingency_point_of_sale":9003,"mode":"manual","max_hours":6}`, s.key).want(200)
	if o, _ := again.object()["open"].(map[string]any); o == nil || o["cause"] != "ARCA is away" ||
		o["environment"] != "Production" {
		t.Errorf("while it is open the setting is %s", again.Body)
	}
	back := w.call("PUT", s.path, again.Body.String(), s.key).want(200)
	if back.Body.String() != again.Body.String() {
		t.Errorf("put back as it was read: %s, not %s", back.Body, again.Body)
	}
	w.call("PUT", s.path, `{"point_of_sale":4,"contingency_point_of_sale":9003,"mode":"manual"}`, s.key).fails(422,
		"VALIDATION_FAILED", "point_of_sale NOT_ALLOWED")
	w.call("POST", s.path[:len(s.path)-1]+"4/close", `{"reason":"ARCA is back"}`, s.key).fails(409, "CONTINGENCY_OFF")
	closed := w.call("POST", s.path+"/close", `{"reason":"ARCA is back"}`, s.key).want(200).object()
	if closed["open"] != nil {
		t.Errorf("%v", closed)
	}
	w.call("PUT", s.path, `{"contingency_point_of_sale":9003,"mode":"off"}`, s.key).want(200)
	w.call("POST", s.path+"/open", `{"reason":"ARCA is away"}`, s.key).fails(409, "CONTINGENCY_OFF")
}

// A point that is named while it is switched off was checked by nobody: an ordinary point would be one no more.
func TestWhatIsSwitchedOffKeepsItsContingencyPoint(t *testing.T) {
	w := newWorld(t)
	s := w.contingent()
	w.call("PUT", s.path, `{"contingency_point_of_sale":5,"mode":"off"}`, s.key).fails(422, "VALIDATION_FAILED",
		"contingency_point_of_sale NOT_THE_CONTINGENCY_POINT")
	w.call("POST", "/api/invoices", sample(t, "branch_office", "5", "issuer", ""), s.key).want(201)
	w.call("PUT", s.path, `{"mode":"manual"}`, s.key).fails(422, "VALIDATION_FAILED",
		"contingency_point_of_sale REQUIRED")
	off := w.call("PUT", s.path, `{"mode":"off"}`, s.key).want(200).object()
	if fmt.Sprintf("%v %v", off["contingency_point_of_sale"], off["mode"]) != "9003 off" {
		t.Errorf("%v", off)
	}
}

// The company's own bounds are seen before the authority is asked.
func TestOneContingencyTooManyIsRefusedBeforeTheAuthorityIsAsked(t *testing.T) {
	w := newWorld(t)
	s := w.contingent()
	path := s.path[:len(s.path)-1]
	for n := 1; n < company.MaxContingencies; n++ {
		w.call("PUT", fmt.Sprint(path, 100+n), `{"contingency_point_of_sale":9003,"mode":"manual"}`, s.key).want(200)
	}
	w.points = registry{9004: "The registry has it for CAE."}
	w.router = w.routes()
	w.call("PUT", path+"99", `{"contingency_point_of_sale":9004,"mode":"manual"}`, s.key).fails(409,
		"TOO_MANY_CONTINGENCIES", "contingency_point_of_sale TOO_MANY_CONTINGENCIES")
}

// The authority counts numbers by tax identifier, whatever company of ours they are of.
func TestAContingencyPointIsOfOneCompanyOfATaxpayer(t *testing.T) {
	w := newWorld(t)
	a, b := w.contingent(), w.company()
	const point = `{"contingency_point_of_sale":9003,"mode":"manual"}`
	path := "/api/companies/" + b.id + "/contingency/4"
	w.call("PUT", path, point, b.key).fails(409, "CONTINGENCY_POINT_IN_USE",
		"contingency_point_of_sale CONTINGENCY_POINT_IN_USE")
	w.upload("/api/companies/"+b.id+"/certificates", certificateForm(), b.key).want(201)
	w.call("PUT", path, point, b.key).fails(409, "CONTINGENCY_POINT_IN_USE",
		"contingency_point_of_sale CONTINGENCY_POINT_IN_USE")
	w.call("PUT", path, `{"contingency_point_of_sale":9003,"mode":"off"}`, b.key).want(200) // it takes nothing
	w.call("PUT", path, `{"contingency_point_of_sale":9004,"mode":"manual"}`, b.key).want(200)
	w.call("PUT", a.path, `{"contingency_point_of_sale":9003,"mode":"off"}`, a.key).want(200)
	w.call("PUT", path, point, b.key).fails(409, "CONTINGENCY_POINT_IN_USE",
		"contingency_point_of_sale CONTINGENCY_POINT_IN_USE") // what is due of then is due
	w.call("PUT", a.path, point, a.key).want(200)
	if claims := len(w.log.Stream("taxpayer-AR-" + cuit)); claims != 2 {
		t.Errorf("%d claims, want one of each company", claims)
	}
}

func TestACrashBetweenClaimAndSettingIsPutRightByRepeating(t *testing.T) {
	w := newWorld(t)
	s := w.contingent()
	w.log.hook(func(stream string) error {
		if strings.HasPrefix(stream, "company-") {
			return errors.New("the process is dead")
		}
		return nil
	})
	const other = `{"contingency_point_of_sale":9004,"mode":"manual"}`
	if got := w.call("PUT", s.path, other, s.key); got.Code < 500 {
		t.Fatalf("the setting that a crash cut off: %d", got.Code)
	}
	w.log.hook(nil)
	w.call("PUT", s.path, other, s.key).want(200)
	if claims := len(w.log.Stream("taxpayer-AR-" + cuit)); claims != 2 {
		t.Errorf("%d claims, want the ones from before the crash", claims)
	}
}

func TestAContingencyIsClosedInEveryEnvironment(t *testing.T) {
	w := newWorld(t)
	s := w.contingent()
	w.call("POST", s.path+"/open", `{"reason":"ARCA is away"}`, s.key).want(200)
	w.upload("/api/companies/"+s.id+"/certificates", certificateForm("environment", "Testing"), s.key).want(201)
	w.call("POST", s.path+"/open", `{"reason":"and its testing"}`, s.key).want(200)
	w.call("POST", s.path+"/close", `{"reason":"ARCA is back"}`, s.key).want(200)
	for _, environment := range []string{"Production", "Testing"} {
		window := contingency.Window{Company: s.id, Environment: environment, PointOfSale: 3}
		state, found, err := commands.Bind(w.x, contingency.Decider).Load(t.Context(), window.ID())
		if err != nil || !found || state.Open != nil {
			t.Errorf("%s: %+v, %t, %v", environment, state, found, err)
		}
	}
}

func TestAContingencyPointIsOneToTheAuthority(t *testing.T) {
	w := newWorld(t)
	w.points = registry{7: "The registry has it for CAE."}
	w.router = w.routes()
	s := w.company()
	path := "/api/companies/" + s.id + "/contingency/3"
	w.call("POST", path+"/open", `{"reason":"ARCA is away"}`, s.key).fails(409, "CONTINGENCY_WITHOUT_CERTIFICATE")
	w.certified(nil)
	w.upload("/api/companies/"+s.id+"/certificates", certificateForm(), s.key).want(201)
	w.call("PUT", path, `{"contingency_point_of_sale":7,"mode":"manual"}`, s.key).fails(422, "VALIDATION_FAILED",
		"contingency_point_of_sale NOT_A_CONTINGENCY_POINT")
	w.call("PUT", path, `{"contingency_point_of_sale":8,"mode":"manual"}`, s.key).want(200)
	_, err := commands.Bind(w.x, numbering.Decider).Execute(t.Context(), s.id+"-Production-1-9",
		numbering.OpenSubmission{Submission: "S1", Invoices: []string{"I1"}},
		commands.Request{ID: commands.Derived("S1"), Actor: "test", At: w.now()})
	check(t, err)
	w.call("PUT", path, `{"contingency_point_of_sale":9,"mode":"manual"}`, s.key).fails(422, "VALIDATION_FAILED",
		"contingency_point_of_sale NOT_A_CONTINGENCY_POINT")
}

func TestNoDocumentIsMadeAtAContingencyPoint(t *testing.T) {
	w := newWorld(t)
	s := w.contingent()
	const refused = "branch_office POINT_OF_SALE_CONTINGENCY"
	for _, mode := range []string{"manual", "off"} { // documents of then may still be due
		w.call("PUT", s.path, `{"contingency_point_of_sale":9003,"mode":"`+mode+`"}`, s.key).want(200)
		at := sample(t, "branch_office", "9003", "issuer", "")
		w.call("POST", "/api/invoices", at, s.key).fails(422, "VALIDATION_FAILED", refused)
		w.call("POST", "/api/invoices/validate", at, s.key).fails(422, "VALIDATION_FAILED", refused)
		r := w.batch(s.shop, row(t, "K-"+mode, "branch_office", "9003", "issuer", ""))[0]
		if text := fmt.Sprint(r["problem"]); !strings.Contains(text, "POINT_OF_SALE_CONTINGENCY") {
			t.Errorf("the row: %s", text)
		}
	}
	w.call("POST", "/api/invoices", sample(t, "branch_office", "3", "issuer", ""), s.key).want(201)
}

// A setting that names another contingency point makes no ordinary one of the earlier: what was issued there by a code
// given ahead keeps it what it is to the authority.
func TestNoDocumentIsMadeAtAnEarlierContingencyPointThatIssued(t *testing.T) {
	w := newWorld(t)
	s := w.contingent()
	rename := func(point string) {
		w.call("PUT", s.path, `{"contingency_point_of_sale":`+point+`,"mode":"manual"}`, s.key).want(200)
	}
	_, err := commands.Bind(w.x, numbering.Decider).Execute(t.Context(), s.id+"-Production-6-9003",
		numbering.IssueContingency{Issued: events.ContingencyIssued{Number: 1, Invoice: "I1", Move: 1, Period: "202611-2"}},
		commands.Request{ID: commands.Derived("I1"), Actor: "test", At: w.now()})
	check(t, err)
	rename("9004")
	rename("9005")
	at := sample(t, "branch_office", "9003", "issuer", "") // of another type than what was issued
	w.call("POST", "/api/invoices", at, s.key).fails(422, "VALIDATION_FAILED", "branch_office POINT_OF_SALE_CONTINGENCY")
	w.call("POST", "/api/invoices", sample(t, "branch_office", "9004", "issuer", ""), s.key).want(201) // nothing issued
}
