package desk

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// textMark is a mark in any text of a document: what follows are effects, separated by
// commas, up to a blank or the end: "SANDBOX:slow=2s,lose".
var textMark = regexp.MustCompile(`SANDBOX:([^\s<>&"]*)`)

// Mark is one row of the recipients that stand for an effect.
type Mark struct {
	Number int // NN
	Fault  Fault
}

// Marking is how an authority reads marks.
type Marking struct {
	// Recipients are the rows by NN.
	Recipients []Mark
	// Coded effects take a code behind the equals sign.
	Coded []Effect
	// Lasting effects are part of the document; the others happen to its first attempt
	// only, as no document could ever pass them otherwise.
	Lasting []Effect
	// Blocking effects, besides the common ones, keep a call from being processed.
	Blocking []Effect
	// Unknown is the effect and the code of a mark that nobody understands, so that a slip
	// of the pen does not pass for a test.
	Unknown Fault
}

var (
	delayed      = []Effect{Slow, Hang, Stall, Down}
	defaultDelay = map[Effect]time.Duration{Slow: 5 * time.Second, Down: 30 * time.Second}
	blocking     = []Effect{Down, HTTP500, HTML, Reset, Hang}
	// aliases are what people write for an effect.
	aliases = map[Effect]Effect{"500": HTTP500, "timeout": Hang, "lost": Lose}
)

// ByNumber are the faults of a recipient's NN, "" for none.
func (m Marking) ByNumber(nn string) []Fault {
	n, err := strconv.Atoi(nn)
	for _, row := range m.Recipients {
		if err == nil && row.Number == n {
			return []Fault{row.Fault}
		}
	}
	return nil
}

// ByText are the faults that a document's text asks for.
func (d *Desk) ByText(m Marking, text string) []Fault {
	var out []Fault
	for _, found := range textMark.FindAllStringSubmatch(text, -1) {
		for _, part := range strings.Split(found[1], ",") {
			out = append(out, d.parse(m, part))
		}
	}
	return out
}

func (d *Desk) parse(m Marking, part string) Fault {
	effect, argument, given := strings.Cut(part, "=")
	f := Fault{Effect: Effect(strings.ToLower(effect))}
	if named, ok := aliases[f.Effect]; ok {
		f.Effect = named
	}
	var err error
	switch {
	case slices.Contains(m.Coded, f.Effect):
		f.Code = strings.ToUpper(argument)
	case slices.Contains(delayed, f.Effect):
		delay := defaultDelay[f.Effect]
		if given {
			delay, err = time.ParseDuration(argument)
		}
		f.Delay = Duration(delay)
	}
	if err == nil {
		err = d.Validate(f)
	}
	if err != nil {
		f = m.Unknown
		f.Text = fmt.Sprintf("Marca del simulador no reconocida: %.40q", part)
	}
	return f
}

// maxMarked bounds the attempts that are remembered.
const maxMarked = 10_000

// Marked is a document of a call with the faults that it asks for.
type Marked struct {
	// Identity tells it from other documents. It is the same for each attempt.
	Identity string
	Faults   []Fault
}

// attempt names one of a document's faults among those that happened.
func (m Marked) attempt(i int) string { return m.Identity + " " + strconv.Itoa(i) }

// Due are the faults of a call's documents that happen to this attempt; a fault's Document is
// its place in documents. One document's blocking fault would swallow those of its
// neighbours, so theirs wait for the next attempt. What takes the authority away from a
// company is scripted for all its calls.
func (d *Desk) Due(m Marking, environment, company string, documents []Marked) []Fault {
	due := d.due(m, documents)
	for i, f := range due {
		if f.Effect == Down {
			f.Company, f.Environment, f.For, f.Delay = company, environment, max(f.Delay, Duration(time.Second)), 0
			d.AddFaults(f)
			due[i] = f
		}
	}
	return due
}

func (d *Desk) due(m Marking, documents []Marked) (due []Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	alone := d.blocked(m, documents)
	for i, doc := range documents {
		for j, f := range doc.Faults {
			f.Document = i
			if !slices.Contains(m.Lasting, f.Effect) {
				if d.spent[doc.attempt(j)] || alone >= 0 && i != alone {
					continue
				}
				if len(d.spent) >= maxMarked {
					clear(d.spent)
				}
				d.spent[doc.attempt(j)] = true
			}
			due = append(due, f)
		}
	}
	return due
}

// blocked is the first document whose blocking fault is still to happen, -1 for none.
func (d *Desk) blocked(m Marking, documents []Marked) int {
	return slices.IndexFunc(documents, func(doc Marked) bool {
		for j, f := range doc.Faults {
			if (slices.Contains(blocking, f.Effect) || slices.Contains(m.Blocking, f.Effect)) && !d.spent[doc.attempt(j)] {
				return true
			}
		}
		return false
	})
}

// Forget lets the faults of a document happen to the next one like it.
func (d *Desk) Forget(doc Marked) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range doc.Faults {
		delete(d.spent, doc.attempt(i))
	}
}
