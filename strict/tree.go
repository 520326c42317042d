package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"folio/fault"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep arrays and objects may nest; an invoice needs 5.
const maxDepth = 32

// node is one JSON value in the arena of a Body. Indices instead of pointers keep
// the whole tree in one allocation.
type node struct {
	name   string // its name in the object around it
	start  int32  // of its text in the source
	end    int32
	parent int32
	first  int32 // first child, 0 for none: the root is nobody's child
	next   int32 // next sibling, 0 for none
	kind   jsontext.Kind
	seen   bool // asked for
	opened bool // its members are being read, so unknown ones are faults
}

// Body is a parsed JSON body. The strings read from it share its memory.
type Body struct {
	src   string
	nodes []node
	asked []asked
	wrong violations

	sketch *sketcher // not nil: no body was sent, and what is asked is noted
}

// asked remembers the names that were asked of an object, to suggest them.
type asked struct {
	object int32
	name   string
}

// decoders are reused for the tables of names that they build.
var decoders = sync.Pool{New: func() any { return jsontext.NewDecoder(noBytes) }}

var noBytes = strings.NewReader("")

// Parse reads one JSON value strictly (RFC 8259 and I-JSON): a fault of code
// Unparsable for broken JSON, a duplicate member, bad UTF-8, lone surrogates, bytes
// after the value and nesting deeper than 32.
func Parse(raw []byte) (*Body, error) {
	b := &Body{src: string(raw)}
	b.nodes = make([]node, 0, 16+len(raw)/16)
	b.asked = make([]asked, 0, 128)
	dec := decoders.Get().(*jsontext.Decoder)
	dec.Reset(bytes.NewBuffer(raw))
	defer func() {
		dec.Reset(noBytes) // or the pool would hold on to the body
		decoders.Put(dec)
	}()
	if err := b.scan(dec); err != nil {
		return nil, unparsable(err, b.src)
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, fault.New(fault.Unparsable, "BODY_NOT_JSON", "The body has bytes after its JSON value (at byte "+
			strconv.FormatInt(dec.InputOffset(), 10)+"). Send one JSON value and nothing else.")
	}
	return b, nil
}

var errTooDeep = errors.New("too deep")

// scan reads one value with everything in it.
func (b *Body) scan(dec *jsontext.Decoder) error {
	var last [maxDepth + 1]int32 // last child so far, by depth
	parent, depth, name := int32(-1), 0, ""
	for {
		kind := dec.PeekKind()
		if depth > 0 && b.nodes[parent].kind == '{' && kind == '"' {
			v, err := dec.ReadValue()
			if err != nil {
				return err
			}
			name = b.unquote(int(dec.InputOffset())-len(v), int(dec.InputOffset()))
			kind = dec.PeekKind()
		}
		switch kind {
		case '}', ']':
			if _, err := dec.ReadToken(); err != nil {
				return err
			}
			b.nodes[parent].end = int32(dec.InputOffset())
			parent, depth = b.nodes[parent].parent, depth-1
		case '{', '[':
			if _, err := dec.ReadToken(); err != nil {
				return err
			}
			if depth == maxDepth {
				return errTooDeep
			}
			end := int32(dec.InputOffset())
			parent = b.hang(node{name: name, kind: kind, start: end - 1, parent: parent}, &last[depth])
			depth++
			last[depth] = 0
		default:
			v, err := dec.ReadValue()
			if err != nil {
				return err
			}
			end := int32(dec.InputOffset())
			b.hang(node{name: name, kind: kind, start: end - int32(len(v)), end: end, parent: parent}, &last[depth])
		}
		name = ""
		if depth == 0 {
			return nil
		}
	}
}

// hang adds n after the last child of its parent.
func (b *Body) hang(n node, last *int32) int32 {
	at := int32(len(b.nodes))
	b.nodes = append(b.nodes, n)
	switch {
	case n.parent < 0:
	case *last == 0:
		b.nodes[n.parent].first = at
	default:
		b.nodes[*last].next = at
	}
	*last = at
	return at
}

// unquote reads the JSON string at src[start:end]; only one with escapes is copied.
func (b *Body) unquote(start, end int) string {
	s := b.src[start+1 : end-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	out, err := jsontext.AppendUnquote(make([]byte, 0, len(s)), b.src[start:end])
	if err != nil {
		return "" // cannot be: the decoder has checked it
	}
	return string(out)
}

func (b *Body) text(n *node) string { return b.unquote(int(n.start), int(n.end)) }

// unparsable words what is wrong with the JSON, with line and column.
func unparsable(err error, src string) error {
	var syntax *jsontext.SyntacticError
	switch {
	case len(strings.TrimSpace(src)) == 0:
		return fault.New(fault.Unparsable, "BODY_NOT_JSON", "The body is empty. Send a JSON object.")
	case errors.Is(err, errTooDeep):
		return fault.New(fault.Unparsable, "BODY_NOT_JSON",
			fmt.Sprintf("The body nests arrays and objects deeper than %d.", maxDepth))
	case !errors.As(err, &syntax):
		return fault.New(fault.Unparsable, "BODY_NOT_JSON", "The body ends in the middle of its JSON value.")
	}
	where := position(src, int(syntax.ByteOffset))
	if !validUTF8(src) {
		return fault.New(fault.Unparsable, "BODY_NOT_UTF8", "The body is not text in UTF-8: it breaks at or after "+where+".")
	}
	if errors.Is(err, jsontext.ErrDuplicateName) {
		path := fromPointer(syntax.JSONPointer)
		return &fault.Error{Code: fault.Unparsable, Constant: "DUPLICATE_MEMBER",
			Text:       "The body names " + path + " twice (" + where + "). Send each member once.",
			Violations: []fault.Violation{{Path: path, Code: CodeDuplicate, Message: "must be given once"}}}
	}
	return fault.New(fault.Unparsable, "BODY_NOT_JSON", "The body is not valid JSON: it breaks at "+where+".")
}

// position is 1-based, the column in bytes.
func position(src string, offset int) string {
	before := src[:min(max(offset, 0), len(src))]
	line := strings.Count(before, "\n") + 1
	return fault.Words("line %d, column %d", line, len(before)-strings.LastIndexByte(before, '\n'))
}
