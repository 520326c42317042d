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
var textMark = regexp.MustCompile(`SANDBOX:([^\s<>&"]+)`)

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
	// Unknown is the effect and the code of a mark that nobody understands, so that a slip
	// of the pen does not pass for a test.
	Unknown Fault
}

var (
	delayed      = []Effect{Slow, Hang, Stall, Down}
	defaultDelay = map[Effect]time.Duration{Slow: 5 * time.Second, Down: 30 * time.Second}
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

// Marked are those of a document's faults that happen to this attempt. document is what
// tells it from others, the same for each attempt; index its place in the envelope. What
// takes the authority away from a company is scripted for all its calls.
func (d *Desk) Marked(m Marking, environment, rut, document string, index int, faults []Fault) []Fault {
	var out []Fault
	for i, f := range faults {
		f.Document = index
		if !slices.Contains(m.Lasting, f.Effect) && !d.firstTime(fmt.Sprintf("%s %d", document, i)) {
			continue
		}
		if f.Effect == Down {
			f.RUT, f.Environment, f.For, f.Delay = rut, environment, max(f.Delay, Duration(time.Second)), 0
			d.AddFaults(f)
		}
		out = append(out, f)
	}
	return out
}

func (d *Desk) firstTime(key string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.spent[key] {
		return false
	}
	if len(d.spent) >= maxMarked {
		clear(d.spent)
	}
	d.spent[key] = true
	return true
}
