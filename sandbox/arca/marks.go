package arca

import (
	"context"
	"fmt"
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"
	"time"

	"folio/sandbox/desk"
)

// carrier is one document of a request as far as marks go.
type carrier struct {
	texts    []string
	docTipo  int
	docNro   int64
	identity uint64 // of all that it says but its number
}

// Marks are the recipients that cause a fault: those of a CUIT, CUIL or CDI whose eight
// inner digits are 999900NN, and of a DNI 999900NN.
var Marks = []desk.Mark{
	{Number: 1, Fault: Fault{Effect: Reject, Code: "10015"}},
	{Number: 2, Fault: Fault{Effect: Observe, Code: "10063"}},
	{Number: 3, Fault: Fault{Effect: desk.Lose}},
	{Number: 4, Fault: Fault{Effect: desk.Hang}},
	{Number: 5, Fault: Fault{Effect: desk.HTTP500}},
	{Number: 6, Fault: Fault{Effect: desk.HTML}},
	{Number: 7, Fault: Fault{Effect: desk.Slow, Delay: desk.Duration(5 * time.Second)}},
	{Number: 8, Fault: Fault{Effect: desk.Down, Delay: desk.Duration(30 * time.Second)}},
	{Number: 9, Fault: Fault{Effect: TakeNumber}},
	{Number: 10, Fault: Fault{Effect: desk.Truncate}},
	{Number: 11, Fault: Fault{Effect: Error, Code: "501"}},
	{Number: 12, Fault: Fault{Effect: Error, Code: "600"}},
}

// marking finds texts in Opcional 23 of WSFEv1 and in Obs_comerciales of WSFEXv1.
var marking = desk.Marking{
	Recipients: Marks, Coded: []Effect{Reject, Observe, Error}, Lasting: []Effect{Reject, Observe},
	Blocking: []Effect{Error},
	Unknown:  Fault{Effect: Reject, Code: "10055"},
}

var (
	markedCUIT = regexp.MustCompile(`^\d\d999900(\d\d)\d$`)
	markedDNI  = regexp.MustCompile(`^999900(\d\d)$`)
)

// faults are those that a document asks for.
func (s *Server) faults(c carrier) (out []Fault) {
	form := map[int]*regexp.Regexp{80: markedCUIT, 86: markedCUIT, 87: markedCUIT, 96: markedDNI}[c.docTipo]
	if form != nil {
		if found := form.FindStringSubmatch(strconv.FormatInt(c.docNro, 10)); found != nil {
			out = marking.ByNumber(found[1])
		}
	}
	for _, text := range c.texts {
		out = append(out, s.ByText(marking, text)...)
	}
	return out
}

// readMarks adds what the documents of a request to authorize ask for.
func (s *Server) readMarks(c *call, read *reader) {
	if c.operation != c.service.authorize || read.err != nil {
		return
	}
	// The request itself is read later, by its own rules.
	for _, doc := range c.service.marks(&reader{space: read.space}, c.node) {
		c.marked = append(c.marked, desk.Marked{Identity: fmt.Sprint(doc.identity), Faults: s.faults(doc)})
	}
	c.struck = append(c.struck, s.Due(marking, c.environment, c.seen.Company, c.marked)...)
}

// forget lets the marks of a voucher that was authorized happen to the next one like it.
func (s *Server) forget(c *call, voucher int) {
	if voucher < len(c.marked) {
		s.Forget(c.marked[voucher])
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
	nodes := read.all(req, "FeDetReq", "FECAEDetRequest")
	out := make([]carrier, len(nodes))
	for i, n := range nodes {
		c := carrier{docTipo: int(read.int(n, "DocTipo", 32)), docNro: read.int(n, "DocNro", 64),
			identity: series + identity(n, "CbteDesde", "CbteHasta")}
		options := read.all(n, "Opcionales", "Opcional")
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
	return s.TakeNumbers(ctx, Series{key.environment, key.cuit, key.ptoVta, key.tipo}, 1)
}

func seriesOfInvoices(read *reader, c *call) series {
	head := read.child(read.child(c.node, "FeCAEReq"), "FeCabReq")
	return series{c.environment, c.cuit, int(read.int(head, "PtoVta", 32)), int(read.int(head, "CbteTipo", 32))}
}
