// Package numbering decides who gets which number of one series, and keeps what was
// sent under it and what came of it. Its stream is the truth about numbers; the
// invoices' own streams hold copies.
package numbering

import (
	"fmt"
	"strconv"
	"strings"

	"folio/events"
)

// Series names one sequence of numbers.
type Series struct {
	Company      string
	Environment  string // Production or Testing
	OfficialCode int    // the authority's code of the document type
	BranchOffice int    // point of sale; 0 where the country has none
}

// SeriesOf is the series in which a document is issued. Environment is its own, or that of the company's first
// certificate where it was created before there was one. An invoice that is issued by contingency has the branch office
// of the contingency in place of its own.
func SeriesOf(e events.InvoiceCreated, environment string) Series {
	return Series{Company: e.Company, Environment: environment, OfficialCode: e.Document.OfficialCode,
		BranchOffice: e.Document.BranchOffice}
}

// ID is the aggregate id: "<company>-<environment>-<official code>-<point of sale>".
func (s Series) ID() string {
	return fmt.Sprintf("%s-%s-%d-%d", s.Company, s.Environment, s.OfficialCode, s.BranchOffice)
}

// ParseSeries reads what ID wrote.
func ParseSeries(id string) (Series, error) {
	parts := strings.Split(id, "-")
	if len(parts) != 4 {
		return Series{}, fmt.Errorf("%.80q is not a series: company-environment-code-branch", id)
	}
	code, err1 := strconv.Atoi(parts[2])
	branch, err2 := strconv.Atoi(parts[3])
	s := Series{parts[0], parts[1], code, branch}
	if err1 != nil || err2 != nil || s.ID() != id {
		return Series{}, fmt.Errorf("%.80q is not a series: company-environment-code-branch", id)
	}
	return s, nil
}
