package console

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// mostLines is how many lines the form of a document has at most; the API takes more.
const mostLines = 100

// sums are what follows from the lines of a document, as the API's calculation answers.
type sums struct {
	Currency currency `json:"currency"`
	Items    []item   `json:"items"`
	Totals   totals   `json:"totals"`
}

// issueData is what the form of a document shows.
type issueData struct {
	Lines                                         []int
	Types, Kinds, Documents, Conditions, Concepts []option
	Units, Taxes, Payments, Currencies            []option
	More                                          []extra // that the country's documents have besides
	Asked                                         []asked // that a check asked for and no other field has
	Today                                         string
	Identified                                    string // the kind of document that the first type asks of a recipient
	Sums                                          *sums
	SumFault                                      string
	Checked                                       bool // everything was checked, nothing stands against it
	Warnings                                      []pending
}

func (v *visit) newInvoice() error { return v.showIssue(http.StatusOK, issueData{}) }

// extra is a member of a create with the type of its field, and whether it is of the recipient.
type extra struct {
	Name, Type  string
	OfRecipient bool
}

// moreMembers are further members of a create that documents of a country often have; any
// other that a check asks for gets its field when it is asked for.
var moreMembers = map[string][]extra{
	"AR": {{"service_start_date", "date", false}, {"service_end_date", "date", false}},
	"CL": {{"additional_header_info.recipient.giro", "text", true},
		{"additional_header_info.recipient.comuna", "text", true}, {"additional_header_info.recipient.city", "text", true}},
	"UY": {{"additional_header_info.recipient.city", "text", true},
		{"additional_header_info.recipient.department", "text", true}},
}

// showIssue shows the form with its codes, which are the API's catalogues.
func (v *visit) showIssue(status int, d issueData) error {
	codes, err := v.catalogue()
	if err != nil {
		return err
	}
	types, err := v.documentTypes()
	if err != nil {
		return err
	}
	d.Types, d.Identified = typeOptions(v, types)[1:], v.console.country(v.here.Country).Asked
	d.Documents = choices(codes["document_types"], say(v.language, "Consumer"))
	d.Conditions = choices(codes["tax_conditions"], "—")
	d.Concepts, d.Units = choices(codes["concepts"], ""), choices(codes["units_of_measure"], "")
	d.Taxes, d.Payments = choices(codes["tax_types"], "—"), choices(codes["payment_methods"], "—")
	d.Currencies = choices(codes["currencies"], say(v.language, "The company’s"))
	d.More, d.Asked = moreMembers[v.here.Country], v.asked()
	d.Lines = make([]int, linesOf(v.form))
	for i := range d.Lines {
		d.Lines[i] = i
	}
	d.Today = v.console.Clock().In(v.zone()).Format(time.DateOnly)
	v.render(status, "issue", "New document", d)
	return nil
}

// linesOf is how many lines a form has, one at least.
func linesOf(form url.Values) int {
	n := 1
	for name := range form {
		var at int
		if _, err := fmt.Sscanf(name, "items[%d].", &at); err == nil && at >= n && at < mostLines {
			n = at + 1
		}
	}
	return n
}

// asked is a member with the name of its field.
type asked struct{ Path, Name string }

// asked are the members that a refusal, or an earlier one of this form, named and that the
// form has no field for: each gets one.
func (v *visit) asked() (all []asked) {
	seen := map[string]bool{}
	add := func(path string) {
		if !seen[path] && !fixed(path, v.here.Country) && stepsOf(path) != nil {
			seen[path] = true
			a := asked{path, path}
			if slices.Contains(v.console.country(v.here.Country).Numbers, path) {
				a.Name += numeric
			}
			all = append(all, a)
		}
	}
	for _, path := range v.form["_asked"] {
		add(path)
	}
	if v.problem != nil {
		for _, f := range v.problem.Faults {
			if strings.Contains(f.Path, ".") { // one of the head has its field, or none can cure it
				add(f.Path)
			}
		}
	}
	return all
}

// fixedMembers are those that every form of a document has.
var fixedMembers = []string{"recipient.legal_name", "recipient.document_type", "recipient.document_number",
	"recipient.tax_condition", "recipient.address.address", "recipient.address.region", "payment_method.code",
	"currency.code", "currency.exchange_rate", "billing_reference[0].invoice_id"}

// fixed says that the form has a field of this path, or that it is filled in by calculation.
func fixed(path, country string) bool {
	return slices.ContainsFunc(moreMembers[country], func(m extra) bool { return m.Name == path }) ||
		slices.Contains(fixedMembers, path) || strings.HasPrefix(path, "items[") || strings.HasPrefix(path, "totals.")
}

// issueInvoice does what the button that was pressed says: add or take away a line, check, or
// issue.
func (v *visit) issueInvoice() error {
	switch {
	case v.form.Has("_add"):
		n := min(linesOf(v.form), mostLines-1)
		v.form.Set("items["+strconv.Itoa(n)+"].description", "")
		return v.showIssue(http.StatusOK, issueData{})
	case v.form.Has("_remove"):
		v.form = withoutLine(v.form, v.form.Get("_remove"))
		return v.showIssue(http.StatusOK, issueData{})
	}
	v.key = "" // the key is that of the create; sums and checks record nothing
	body, found, err := v.calculated()
	if err != nil {
		return v.refusedIssue(err, found)
	}
	if v.form.Has("_check") {
		var valid struct {
			Warnings []pending `json:"warnings"`
		}
		if err := v.post("/api/invoices/validate", body, &valid); err != nil {
			return v.refusedIssue(err, found)
		}
		return v.showIssue(http.StatusOK, issueData{Sums: found, Checked: true, Warnings: valid.Warnings})
	}
	var made invoice
	v.key = v.form.Get("_key")
	if err := v.post("/api/invoices", body, &made); err != nil {
		return v.refusedIssue(err, found)
	}
	return v.done(v.within("invoices", made.ID), "issued")
}

func (v *visit) refusedIssue(err error, found *sums) error {
	return v.again(err, func(status int) error { return v.showIssue(status, issueData{Sums: found}) })
}

// draft is the form as the API's request.
func (v *visit) draft() map[string]any {
	body := v.body()
	if recipient, ok := body["recipient"].(map[string]any); ok {
		if address, ok := recipient["address"].(map[string]any); ok && address["country"] == nil {
			address["country"] = v.here.Country
		}
	}
	return body
}

// calculated is the request with the sums that the API makes of it.
func (v *visit) calculated() (map[string]any, *sums, error) {
	body := v.draft()
	a, err := v.call(http.MethodPost, "/api/invoices/calculate", body)
	if err != nil {
		return body, nil, err
	}
	filled, found := map[string]any{}, &sums{}
	if err := a.decode(&filled); err != nil {
		return body, nil, err
	}
	if err := a.decode(found); err != nil {
		return body, nil, err
	}
	for _, member := range []string{"items", "global_taxes", "totals"} { // the rest stays as it was typed
		body[member] = filled[member]
	}
	return body, found, nil
}

// invoiceSums are the totals of a form that is being filled in. What is still missing is said
// in a line, not as a fault.
func (v *visit) invoiceSums() error {
	v.key = ""
	_, found, err := v.calculated()
	d := issueData{Sums: found}
	if err != nil {
		p := v.problemOf(err)
		if p.Status == http.StatusUnauthorized {
			return err
		}
		d.SumFault = p.Detail
		if len(p.Faults) > 0 {
			d.SumFault = p.Faults[0].Message
		}
	}
	v.renderPart("issue", "sums", d)
	return nil
}

// withoutLine is a form without one of its lines; those behind it move up.
func withoutLine(form url.Values, line string) url.Values {
	gone, err := strconv.Atoi(line)
	out := url.Values{}
	for name, values := range form {
		var at int
		if _, e := fmt.Sscanf(name, "items[%d].", &at); err == nil && e == nil {
			if at == gone {
				continue
			}
			if at > gone {
				_, rest, _ := strings.Cut(name, "].")
				name = "items[" + strconv.Itoa(at-1) + "]." + rest
			}
		}
		out[name] = values
	}
	return out
}
