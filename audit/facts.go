package audit

import (
	"encoding/json"
	"fmt"
	"strings"
)

// facts are what the events say, as far as other files of the export are compared with it.
type facts struct {
	manifest Manifest
	next     map[string]uint64   // revision of each stream
	invoices map[string]*invoice // by id
	order    []string            // of their ids
	sent     map[string]*submission
	files    map[string]file // what events name, by its name without an extension
}

// invoice is one of them, as its events say.
type invoice struct {
	line       int // where it was created
	status     string
	branch     int
	number     int64
	submission string
	code       string // of the authorization
	document   document
}

// document is what InvoiceCreated froze, as far as it is compared.
type document struct {
	Type      string `json:"type"`
	Date      string `json:"date"`
	Reference string `json:"external_reference"`
	Recipient struct {
		Name   string `json:"legal_name"`
		Number string `json:"document_number"`
	} `json:"recipient"`
	Currency struct {
		Code string `json:"code"`
	} `json:"currency"`
	Items []struct {
		Quantity    string `json:"quantity"`
		UnitPrice   string `json:"unit_price"`
		Description string `json:"description"`
	} `json:"items"`
	Totals struct {
		SubTotal string `json:"sub_total"`
		Total    string `json:"total"`
	} `json:"totals"`
}

// submission is a call to the authority with documents. Those of no document in the export have no files here.
type submission struct {
	wanted bool
	sent   []string // names, without extensions, of what was sent
}

// file is something that an event names by its hash.
type file struct {
	sha256 string
	line   int // of the event
}

func newFacts(m Manifest) facts {
	return facts{manifest: m, next: map[string]uint64{}, invoices: map[string]*invoice{},
		sent: map[string]*submission{}, files: map[string]file{}}
}

// data are the members of events that are looked at.
type data struct {
	Company    string   `json:"company"`
	Invoice    string   `json:"invoice"`
	Invoices   []string `json:"invoices"`
	Document   document `json:"document"`
	Submission string   `json:"submission"`
	Branch     int      `json:"branch_office"`
	Number     int64    `json:"number"`
	SHA256     string   `json:"sha256"`
	Supplied   string   `json:"document_sha256"`
	Grant      struct {
		Code string `json:"code"`
	} `json:"authorization"`
	Calls []struct {
		Operation string `json:"operation"`
		Request   string `json:"request"`
		Answer    string `json:"answer"`
	} `json:"calls"`
}

// hashed are the events whose sha256 is of a file, and what the file is called.
var hashed = map[string]string{"SubmissionOpened": "sent", "EnvelopeRenewed": "sent", "LogoUploaded": "logo",
	"DailyReportSent": "report", "ContingencyIssued": "detail"}

// add takes an event, and says what is wrong with it.
func (f *facts) add(e Event, line int) string {
	if e.Revision != f.next[e.Stream] {
		return fmt.Sprintf("it is revision %d of %s, where revision %d should come", e.Revision, e.Stream,
			f.next[e.Stream])
	}
	f.next[e.Stream]++
	var d data
	if err := json.Unmarshal([]byte(e.Data), &d); err != nil && looked(e) {
		return fmt.Sprintf("its data cannot be read: %v", err)
	}
	category, id, _ := strings.Cut(e.Stream, "-")
	named := id == f.manifest.Company || strings.HasPrefix(id, f.manifest.Company+"-")
	switch {
	case category == "invoice":
		if wrong := f.life(e.Type, id, d, line); wrong != "" {
			return wrong
		}
	case !named && e.Revision == 0 && d.Company != f.manifest.Company:
		return fmt.Sprintf("%s is not a stream of the company %s", e.Stream, f.manifest.Company)
	}
	f.name(e, d, line)
	return ""
}

// looked says that an event's data matter here: newer ones may have other shapes.
func looked(e Event) bool {
	return strings.HasPrefix(e.Stream, "invoice-") || hashed[e.Type] != "" || e.Type == "SubmissionSettled"
}

// life folds what becomes of an invoice.
func (f *facts) life(kind, id string, d data, line int) string {
	i := f.invoices[id]
	if kind == "InvoiceCreated" {
		if i != nil || d.Invoice != id || d.Company != f.manifest.Company {
			return fmt.Sprintf("it creates the invoice %s of the company %s in the stream of %s", d.Invoice, d.Company,
				id)
		}
		f.invoices[id] = &invoice{line: line, status: "Pending", document: d.Document}
		f.order = append(f.order, id)
		return ""
	}
	if i == nil {
		return "" // an attempt to create it that was given up
	}
	switch kind {
	case "SubmissionStarted":
		i.status, i.submission = "In process", d.Submission
	case "NumberAssigned":
		i.branch, i.number = d.Branch, d.Number
	case "AuthorityAccepted":
		i.status, i.submission, i.code = "Accepted", d.Submission, d.Grant.Code
	case "AuthorityRejected", "InvoiceRefused":
		i.status = "Rejected"
	}
	return ""
}

// name notes the files that an event names.
func (f *facts) name(e Event, d data, line int) {
	if !f.wanted(e, d) {
		return
	}
	base := fmt.Sprintf("%s%s/%06d-", Attachments, e.Stream, e.Revision)
	note := func(name, sha256 string) {
		if sha256 != "" {
			f.files[base+name] = file{sha256, line}
		}
	}
	for i, c := range d.Calls {
		note(fmt.Sprintf("%02d-%s-request", i+1, Plain(c.Operation)), c.Request)
		note(fmt.Sprintf("%02d-%s-answer", i+1, Plain(c.Operation)), c.Answer)
	}
	note("document", d.Supplied)
	if kind := hashed[e.Type]; kind != "" {
		note(kind, d.SHA256)
		if s := f.sent[d.Submission]; s != nil && kind == "sent" {
			s.sent = append(s.sent, base+kind)
		}
	}
}

// wanted says whether the files of an event are in the export: all of them in one of the whole history, and in one of a
// period those of a series only where the submission has a document of the period.
func (f *facts) wanted(e Event, d data) bool {
	if !strings.HasPrefix(e.Stream, "numbering-") {
		return true
	}
	if e.Type == "SubmissionOpened" {
		s := &submission{wanted: f.manifest.Whole()}
		for _, id := range d.Invoices {
			s.wanted = s.wanted || f.invoices[id] != nil
		}
		f.sent[d.Submission] = s
	}
	if s := f.sent[d.Submission]; s != nil {
		return s.wanted
	}
	return f.manifest.Whole()
}

// Plain keeps letters, digits, '-' and '_' of what becomes part of a file's name.
func Plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' {
			return r
		}
		return '_'
	}, name)
}
