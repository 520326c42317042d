package desk

import (
	"cmp"
	"html/template"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// Options of a desk.
type Options struct {
	// Name of the authority as people know it: "SII".
	Name string
	// Prefix of its administration: "/admin/sii/".
	Prefix string
	// Example is an operation, for the page.
	Example string
	// Effects that it has besides the common ones.
	Effects []Effect
	// Now is the sandbox's clock.
	Now func() time.Time
	// Zone is that of the times on the page.
	Zone *time.Location
	// Logger hears what goes wrong; nil is silent.
	Logger *slog.Logger
}

// Desk is safe for concurrent use.
type Desk struct {
	Options
	effects []Effect
	now     func() time.Time
	log     *slog.Logger
	pages   *template.Template

	mu     sync.Mutex
	faults []Fault
	calls  []Call // oldest first
	last   int64
	spent  map[string]bool // marks that happened
}

// New makes one without faults.
func New(o Options) *Desk {
	return &Desk{Options: o, effects: slices.Concat(Common, o.Effects), now: o.Now,
		log: cmp.Or(o.Logger, slog.New(slog.DiscardHandler)), pages: Pages(o.Zone), spent: map[string]bool{}}
}
