package cl

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Bounds of a numbering file: a real one has 20 elements in 6 levels and 2 KB.
const (
	maxRangeFile = 64 << 10
	maxNodes     = 64
	maxDepth     = 8
)

// node is one element of a numbering file with the place of its bytes in the text,
// which its signature is over.
type node struct {
	name       string
	attributes map[string]string
	text       string
	children   []*node
	from, to   int64 // in the text, tags included
}

// one is the only child of that name.
func (n *node) one(name string) (*node, error) {
	var found *node
	for _, c := range n.children {
		if c.name != name {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%s has two %s", n.name, name)
		}
		found = c
	}
	if found == nil {
		return nil, fmt.Errorf("%s has no %s", n.name, name)
	}
	return found, nil
}

// value is the trimmed text of the only child of that name.
func (n *node) value(name string) (string, error) {
	c, err := n.one(name)
	if err != nil {
		return "", err
	}
	if len(c.children) > 0 {
		return "", fmt.Errorf("%s holds elements, not text", name)
	}
	return strings.TrimSpace(c.text), nil
}

// parseNodes reads one small XML document. It refuses a DTD, entities of its own,
// comments and processing instructions: none belongs into a numbering file, and each
// can make two readers see two texts.
func parseNodes(text string) (*node, error) {
	decoder := xml.NewDecoder(strings.NewReader(text))
	// The text is UTF-8 by now, whatever its declaration says.
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var open []*node
	var root *node
	count := 0
	for {
		from := decoder.InputOffset()
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("it is no well-formed XML: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if count++; count > maxNodes || len(open) == maxDepth || len(open) == 0 && root != nil {
				return nil, errors.New("it has more elements than a numbering file")
			}
			n := &node{name: qualified(t.Name), attributes: map[string]string{}, from: from}
			for _, a := range t.Attr {
				n.attributes[qualified(a.Name)] = a.Value
			}
			if len(open) > 0 {
				parent := open[len(open)-1]
				parent.children = append(parent.children, n)
			} else {
				root = n
			}
			open = append(open, n)
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1].name != qualified(t.Name) {
				return nil, fmt.Errorf("it is no well-formed XML: </%s> closes nothing", qualified(t.Name))
			}
			open[len(open)-1].to = decoder.InputOffset()
			open = open[:len(open)-1]
		case xml.CharData:
			if err := addText(open, string(t)); err != nil {
				return nil, err
			}
		case xml.ProcInst:
			if t.Target != "xml" || from > 0 && strings.TrimSpace(text[:from]) != "" {
				return nil, errors.New("processing instructions are not allowed")
			}
		case xml.Directive:
			return nil, errors.New("a DTD is not allowed")
		case xml.Comment:
			return nil, errors.New("comments are not allowed")
		}
	}
	if root == nil || len(open) > 0 {
		return nil, errors.New("it is no whole XML document")
	}
	return root, nil
}

func addText(open []*node, text string) error {
	if len(open) == 0 {
		if strings.TrimSpace(text) != "" {
			return errors.New("it is no well-formed XML: text outside the root")
		}
		return nil
	}
	open[len(open)-1].text += text
	return nil
}

func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}
