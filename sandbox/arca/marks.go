package arca

import (
	"context"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// markPrefix begins a mark in a text that reaches the authority: Opcional 23 of WSFEv1,
// Obs_comerciales of WSFEXv1. What follows are effects: "SANDBOX:reject=10195" or
// "SANDBOX:slow=2s,lose".
const markPrefix = "SANDBOX:"

// carrier is one document of a request as far as marks go.
type carrier struct {
	texts    []string
	docTipo  int
	docNro   int64
	identity uint64 // of all that it says but its number
}

// markedFault is a fault that a document of the request asks for.
type markedFault struct {
	Fault
	key uint64
}

// Mark is one row of the recipients that stand for an effect.
type Mark struct {
	Number int // NN of 999900NN
	Fault  Fault
}

// Marks are the recipients that cause a fault: those of a CUIT, CUIL or CDI whose eight
// inner digits are 999900NN, and of a DNI 999900NN.
var Marks = []Mark{
	{1, Fault{Effect: Reject, Code: 10015}},
	{2, Fault{Effect: Observe, Code: 10063}},
	{3, Fault{Effect: Lose}},
	{4, Fault{Effect: Hang}},
	{5, Fault{Effect: HTTP500}},
	{6, Fault{Effect: HTML}},
	{7, Fault{Effect: Slow, Delay: 5 * time.Second}},
	{8, Fault{Effect: Down, Delay: 30 * time.Second}},
	{9, Fault{Effect: TakeNumber}},
	{10, Fault{Effect: Truncate}},
	{11, Fault{Effect: Error, Code: 501}},
	{12, Fault{Effect: Error, Code: 600}},
}

var (
	markedCUIT = regexp.MustCompile(`^\d\d999900(\d\d)\d$`)
	markedDNI  = regexp.MustCompile(`^999900(\d\d)$`)
)

// faults are those that a document asks for.
func (c carrier) faults() []Fault {
	var out []Fault
	digits := strconv.FormatInt(c.docNro, 10)
	form := map[int]*regexp.Regexp{80: markedCUIT, 86: markedCUIT, 87: markedCUIT, 96: markedDNI}[c.docTipo]
	if form != nil {
		if found := form.FindStringSubmatch(digits); found != nil {
			n, _ := strconv.Atoi(found[1])
			for _, m := range Marks {
				if m.Number == n {
					out = append(out, m.Fault)
				}
			}
		}
	}
	for _, text := range c.texts {
		if _, effects, ok := strings.Cut(text, markPrefix); ok {
			out = append(out, parseMark(effects)...)
		}
	}
	return out
}

// parseMark reads "effect[=argument],...", up to the first space. A mark that nobody
// understands refuses its document, so that a slip of the pen does not pass for a test.
func parseMark(text string) []Fault {
	text, _, _ = strings.Cut(strings.ReplaceAll(text, "\n", " "), " ")
	var out []Fault
	for _, part := range strings.Split(text, ",") {
		effect, argument, _ := strings.Cut(part, "=")
		f := Fault{Effect: Effect(strings.ToLower(effect))}
		if named, ok := aliases[f.Effect]; ok {
			f.Effect = named
		}
		var err error
		switch f.Effect {
		case Reject, Observe, Error:
			f.Code, err = strconv.Atoi(argument)
		case Slow, Hang, Stall, Down:
			f.Delay = defaultDelay[f.Effect]
			if argument != "" {
				f.Delay, err = time.ParseDuration(argument)
			}
		}
		if err == nil {
			err = f.Validate()
		}
		if err != nil {
			f = Fault{Effect: Reject, Code: 10055, Text: fmt.Sprintf("Marca del simulador no reconocida: %.40q", part)}
		}
		out = append(out, f)
	}
	return out
}

// aliases are what people write for an effect.
var aliases = map[Effect]Effect{"500": HTTP500, "timeout": Hang, "lost": Lose}

var defaultDelay = map[Effect]time.Duration{Slow: 5 * time.Second, Down: 30 * time.Second}

// lasting effects are part of the document; the others happen to its first attempt only,
// as no document could ever pass them otherwise.
func lasting(e Effect) bool { return e == Reject || e == Observe }

// blocking effects keep a call from being processed at all.
func blocking(e Effect) bool {
	switch e {
	case Down, HTTP500, HTML, Reset, Hang, Error:
		return true
	}
	return false
}

// readMarks adds what the documents of a request to authorize ask for.
func (s *Server) readMarks(c *call, read *reader) {
	if c.operation != c.service.authorize || read.err != nil {
		return
	}
	var all []markedFault
	// The request itself is read later, by its own rules.
	for i, doc := range c.service.marks(&reader{space: read.space}, c.node) {
		for j, f := range doc.faults() {
			f.Voucher = i
			all = append(all, markedFault{f, doc.identity + uint64(j)})
		}
	}
	for _, m := range s.due(all) {
		if f := m.Fault; f.Effect == Down {
			f.CUIT, f.Environment, f.Until, f.Delay = c.cuit, c.environment, s.now().Add(max(f.Delay, time.Second)), 0
			s.AddFaults(f)
		}
		c.struck = append(c.struck, m.Fault)
		c.marked = append(c.marked, m)
	}
}

// due are the marks that happen to this call, and remembers them. One document's blocking
// mark would swallow those of its neighbours, so theirs wait for the next attempt.
func (s *Server) due(all []markedFault) (out []markedFault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	alone := slices.IndexFunc(all, func(m markedFault) bool { return blocking(m.Effect) && !s.spent[m.key] })
	for _, m := range all {
		switch {
		case lasting(m.Effect):
		case s.spent[m.key], alone >= 0 && m.Voucher != all[alone].Voucher:
			continue
		default:
			if len(s.spent) >= maxMarked {
				clear(s.spent)
			}
			s.spent[m.key] = true
		}
		out = append(out, m)
	}
	return out
}

// maxMarked bounds the attempts that are remembered.
const maxMarked = 10_000

// forget lets the marks of a voucher that was authorized happen to the next one like it.
func (s *Server) forget(c *call, voucher int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range c.marked {
		if m.Voucher == voucher {
			delete(s.spent, m.key)
		}
	}
}

// identity tells documents apart by all that they say; leaves named in except do not
// count, so that a document keeps its identity under another number.
func identity(n *node, except ...string) uint64 {
	h := fnv.New64a()
	var walk func(*node)
	walk = func(n *node) {
		for _, c := range n.children {
			skip := false
			for _, name := range except {
				skip = skip || c.name.Local == name
			}
			if !skip {
				_, _ = fmt.Fprintf(h, "<%s>%s", c.name.Local, strings.TrimSpace(c.text))
				walk(c)
			}
		}
	}
	if n != nil {
		walk(n)
	}
	return h.Sum64()
}

// marksOfInvoices finds the documents of FECAESolicitar.
func marksOfInvoices(read *reader, op *node) []carrier {
	req := read.child(op, "FeCAEReq")
	series := identity(read.child(req, "FeCabReq"), "CantReg") + identity(read.child(op, "Auth"), "Token", "Sign")
	nodes, _ := read.all(req, "FeDetReq", "FECAEDetRequest")
	out := make([]carrier, len(nodes))
	for i, n := range nodes {
		c := carrier{docTipo: int(read.int(n, "DocTipo", 32)), docNro: read.int(n, "DocNro", 64), identity: series + identity(n, "CbteDesde", "CbteHasta")}
		options, _ := read.all(n, "Opcionales", "Opcional")
		for _, o := range options {
			if read.text(o, "Id") == "23" {
				c.texts = append(c.texts, read.text(o, "Valor"))
			}
		}
		out[i] = c
	}
	return out
}

// takeNext takes the next number of the series that a request is for.
func (s *Server) takeNext(ctx context.Context, c *call) error {
	if c.operation != c.service.authorize {
		return nil
	}
	key := c.service.series(&reader{space: c.service.namespace}, c)
	return s.TakeNumbers(ctx, key.environment, key.cuit, key.ptoVta, key.tipo, 1)
}

func seriesOfInvoices(read *reader, c *call) series {
	head := read.child(read.child(c.node, "FeCAEReq"), "FeCabReq")
	return series{c.environment, c.cuit, int(read.int(head, "PtoVta", 32)), int(read.int(head, "CbteTipo", 32))}
}
