package events

import "time"

// ContingencyConfigured: while the authority is away, documents of a point of sale may be
// issued from another one, by a code that the authority gave ahead (Argentina, CAEA). It
// replaces what was said of the point before.
type ContingencyConfigured struct {
	Fact        `json:"-"`
	PointOfSale int         `json:"point_of_sale"` // whose documents these are in ordinary times
	Contingency Contingency `json:"contingency"`
}

var _ = define[ContingencyConfigured]("company", "ContingencyConfigured")

// Contingency is how a point of sale goes on while the authority is away.
type Contingency struct {
	PointOfSale  int    `json:"point_of_sale"` // that the authority calls CAEA
	Mode         string `json:"mode"`          // off, manual or automatic
	AfterMinutes int    `json:"after_minutes"` // without an answer, before it is offered or opened
	MaxHours     int    `json:"max_hours"`     // after which what was opened closes
}

// Modes of a Contingency.
const (
	ContingencyOff       = "off"
	ContingencyManual    = "manual"    // somebody opens and closes it
	ContingencyAutomatic = "automatic" // an outage opens it
)

// CAEA is the Type of an Authorization that was given ahead, for a fortnight.
const CAEA = "CAEA"

// CAEARequested: the authority is asked for the code of a fortnight.
type CAEARequested struct {
	Fact        `json:"-"`
	Company     string `json:"company"`
	Environment string `json:"environment"`
	Period      string `json:"period"` // YYYYMM
	Order       int    `json:"order"`  // 1: days 1 to 15; 2: the rest
}

var _ = define[CAEARequested]("caea", "CAEARequested")

// CAEAGranted: the company may issue by this code within the fortnight, without asking.
type CAEAGranted struct {
	Fact        `json:"-"`
	Company     string             `json:"company"`
	Environment string             `json:"environment"`
	Code        string             `json:"code"`         // 14 digits
	From        string             `json:"from"`         // YYYY-MM-DD
	To          string             `json:"to"`           // YYYY-MM-DD, its last day
	ReportUntil string             `json:"report_until"` // YYYY-MM-DD, as the answer says
	Remarks     []AuthorityMessage `json:"remarks,omitempty"`
	Sandbox     bool               `json:"sandbox,omitempty"` // no fiscal value
	Calls       []Call             `json:"calls,omitempty"`
}

func (e CAEAGranted) exchanges() []Call { return e.Calls }

var _ = define[CAEAGranted]("caea", "CAEAGranted")

// CAEARefused: the authority gives no code for this fortnight, for these reasons.
type CAEARefused struct {
	Fact    `json:"-"`
	Reasons []AuthorityMessage `json:"reasons"`
	Calls   []Call             `json:"calls,omitempty"`
}

func (e CAEARefused) exchanges() []Call { return e.Calls }

var _ = define[CAEARefused]("caea", "CAEARefused")

// NoMovementReported: the authority knows that a point of sale issued nothing by the code.
type NoMovementReported struct {
	Fact  `json:"-"`
	Point int    `json:"point"`
	Known bool   `json:"known,omitempty"` // it knew already
	Calls []Call `json:"calls,omitempty"`
}

func (e NoMovementReported) exchanges() []Call { return e.Calls }

var _ = define[NoMovementReported]("caea", "NoMovementReported")

// NoMovementRefused: the authority does not believe that the point issued nothing: somebody
// else uses it. Nothing more is told of the point before an operator has looked.
type NoMovementRefused struct {
	Fact    `json:"-"`
	Point   int                `json:"point"`
	Reasons []AuthorityMessage `json:"reasons"`
	Calls   []Call             `json:"calls,omitempty"`
}

func (e NoMovementRefused) exchanges() []Call { return e.Calls }

var _ = define[NoMovementRefused]("caea", "NoMovementRefused")

// CAEAWarned: a notice about the code of a fortnight was given, once for each kind.
type CAEAWarned struct {
	Fact `json:"-"`
	Kind string `json:"kind"` // not_held, three_days_left, one_day_left, overdue
	Left int64  `json:"left"` // documents and points that are still to be reported
}

var _ = define[CAEAWarned]("caea", "CAEAWarned")

// CAEAClosed: all that was issued by the code is reported, and every point that issued
// nothing is reported as such.
type CAEAClosed struct {
	Fact     `json:"-"`
	Reported int64 `json:"reported"` // documents
}

var _ = define[CAEAClosed]("caea", "CAEAClosed")

// ContingencyOpened: from now on documents of the point of sale are issued by contingency,
// unless their number was sent before.
type ContingencyOpened struct {
	Fact        `json:"-"`
	Company     string   `json:"company"`
	Environment string   `json:"environment"`
	PointOfSale int      `json:"point_of_sale"` // in ordinary times
	Point       int      `json:"point"`         // in the contingency
	Cause       string   `json:"cause"`
	Evidence    []string `json:"evidence,omitempty"`
	By          string   `json:"by"` // account, key id, operator or processor
}

var _ = define[ContingencyOpened]("contingency", "ContingencyOpened")

// ContingencyClosed: documents of the point of sale wait for the authority again.
type ContingencyClosed struct {
	Fact   `json:"-"`
	Reason string `json:"reason"`
	By     string `json:"by"`
}

var _ = define[ContingencyClosed]("contingency", "ContingencyClosed")

// InvoiceWithdrawn: no submission of this series may name the invoice, and none ever did: it
// goes on at the contingency point.
type InvoiceWithdrawn struct {
	Fact    `json:"-"`
	Invoice string `json:"invoice"`
	Point   int    `json:"point"`
	Move    int    `json:"move"` // among those of the series, from 1
}

var _ = define[InvoiceWithdrawn]("numbering", "InvoiceWithdrawn")

// InvoiceReturned: a withdrawn invoice was not issued. In the contingency point's series it
// says that this move never will be; after that, in the ordinary series, that the invoice is there again.
type InvoiceReturned struct {
	Fact    `json:"-"`
	Invoice string `json:"invoice"`
	Move    int    `json:"move"`
	Reason  string `json:"reason"`
}

var _ = define[InvoiceReturned]("numbering", "InvoiceReturned")

// ContingencyIssued: the invoice is issued under this number by a code that the authority
// gave ahead. What will be reported of it is fixed here, byte for byte.
type ContingencyIssued struct {
	Fact          `json:"-"`
	Number        int64         `json:"number"`
	Invoice       string        `json:"invoice"`
	Move          int           `json:"move"`          // that brought it here
	Period        string        `json:"period"`        // of the code: YYYYMM-1 or YYYYMM-2
	Authorization Authorization `json:"authorization"` // Type CAEA, Code the CAEA
	GeneratedAt   time.Time     `json:"generated_at"`  // UTC
	SHA256        string        `json:"sha256"`        // of the frozen detail, a file of the vault
	ReportFrom    string        `json:"report_from"`   // YYYY-MM-DD, the first day of the code's reports
	DueBy         string        `json:"due_by"`        // YYYY-MM-DD
	Sandbox       bool          `json:"sandbox,omitempty"`
}

var _ = define[ContingencyIssued]("numbering", "ContingencyIssued")

// ContingencyReportOpened: the frozen details of these invoices, in order of their numbers
// First, First+1, ..., are reported to the authority. No other report of the series opens
// before it settles.
type ContingencyReportOpened struct {
	Fact     `json:"-"`
	Report   string   `json:"report"`
	First    int64    `json:"first"`
	Invoices []string `json:"invoices"`
}

var _ = define[ContingencyReportOpened]("numbering", "ContingencyReportOpened")

// ContingencyReportSettled: what the authority says of each document of an open report. One
// that is still due goes into a later report.
type ContingencyReportSettled struct {
	Fact     `json:"-"`
	Report   string          `json:"report"`
	Outcomes []ReportOutcome `json:"outcomes"`
	Calls    []Call          `json:"calls,omitempty"`
}

func (e ContingencyReportSettled) exchanges() []Call { return e.Calls }

var _ = define[ContingencyReportSettled]("numbering", "ContingencyReportSettled")

// ReportState is how far a document that was issued by contingency is reported.
type ReportState string

// A refused one holds its series: the authority wants that very number next.
const (
	ReportDue      ReportState = "due"
	ReportDone     ReportState = "reported"
	ReportObserved ReportState = "observed"
	ReportRefused  ReportState = "refused"
)

// ReportOutcome is what the authority says of one reported document.
type ReportOutcome struct {
	Invoice  string             `json:"invoice"`
	Number   int64              `json:"number"`
	Period   string             `json:"period"` // of its code: YYYYMM-1 or YYYYMM-2
	State    ReportState        `json:"state"`
	Messages []AuthorityMessage `json:"messages,omitempty"`
	Found    bool               `json:"found,omitempty"` // learnt by asking, the answer itself was lost
}

// AuthorityReportChanged: how far a document that was issued by contingency is reported.
type AuthorityReportChanged struct {
	Fact     `json:"-"`
	State    ReportState        `json:"state"`
	DueBy    string             `json:"due_by"` // YYYY-MM-DD
	Messages []AuthorityMessage `json:"messages,omitempty"`
}

var _ = define[AuthorityReportChanged]("invoice", "AuthorityReportChanged")
