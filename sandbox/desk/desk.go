package desk

import (
	"cmp"
	"encoding/json"
	"html/template"
	"io/fs"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// Testing and Production are the environments, as paths, faults and calls name them.
const (
	Testing    = "testing"
	Production = "production"
)

// Options of a desk.
type Options struct {
	// Name of the authority as people know it: "SII".
	Name string
	// Prefix of its administration: "/admin/sii/".
	Prefix string
	// Home is where its pages are; Prefix when empty.
	Home string
	// Links lead to the pages of all authorities.
	Links []Link
	// Example is an operation, for the page.
	Example string
	// Effects that it has besides the common ones.
	Effects []Effect
	// Check refuses faults that only this authority cannot have; nil refuses none.
	Check func(Fault) error
	// Words are how its administration writes faults and calls.
	Words Words
	// Pages are templates of its own; nil: none.
	Pages fs.FS
	// Now is the sandbox's clock, time.Now when nil. Only delays run on real time.
	Now func() time.Time
	// Zone is that of the times on the page.
	Zone *time.Location
	// Logger hears what goes wrong; nil is silent.
	Logger *slog.Logger
}

// Link is the page of an authority.
type Link struct{ Name, Path string }

// Words are the forms of an authority's administration. The zero Words have "rut" for a
// company, and faults and calls as they are.
type Words struct {
	// Company is the parameter that chooses a company.
	Company string
	// Number says what is wrong with the parameter; nil takes any text.
	Number func(string) error
	// ReadFault reads one as it is sent, ShowFault and ShowCall are what is answered.
	ReadFault func(json.RawMessage) (Fault, error)
	ShowFault func(Fault) any
	ShowCall  func(Call) any
}

// Desk is safe for concurrent use.
type Desk struct {
	Options
	effects []Effect
	pages   *template.Template

	mu     sync.Mutex
	faults []Fault
	calls  []Call // oldest first
	last   int64
	spent  map[string]bool // marks that happened
}

// New makes one without faults.
func New(o Options) *Desk {
	o.Home, o.Words.Company = cmp.Or(o.Home, o.Prefix), cmp.Or(o.Words.Company, "rut")
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Words.ReadFault == nil {
		o.Words.ReadFault = func(text json.RawMessage) (f Fault, err error) { return f, Strict(text, &f) }
		o.Words.ShowFault, o.Words.ShowCall = func(f Fault) any { return f }, func(c Call) any { return c }
	}
	return &Desk{Options: o, effects: slices.Concat(Common, o.Effects), pages: pages(o.Zone, o.Pages),
		spent: map[string]bool{}}
}
