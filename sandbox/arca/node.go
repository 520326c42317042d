package arca

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"folio/money"
)

// node is an element as ASMX sees it: what is in another namespace or unknown is
// simply not there, order does not matter.
type node struct {
	name     xml.Name
	text     string
	children []*node
}

const maxDepth = 32

// parse reads a whole document.
func parse(body []byte) (*node, error) {
	d := xml.NewDecoder(bytes.NewReader(body))
	top := &node{}
	stack := []*node{top}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		last := stack[len(stack)-1]
		switch t := token.(type) {
		case xml.StartElement:
			if len(stack) > maxDepth {
				return nil, errors.New("elements are nested too deep")
			}
			n := &node{name: t.Name}
			last.children = append(last.children, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			last.text += string(t)
		}
	}
	if len(top.children) != 1 {
		return nil, errors.New("there is no root element")
	}
	return top.children[0], nil
}

// child is the first element of this local name; space "" is any namespace.
func (n *node) child(space, local string) *node {
	if n == nil {
		return nil
	}
	for _, c := range n.children {
		if c.name.Local == local && (space == "" || c.name.Space == space) {
			return c
		}
	}
	return nil
}

// reader takes typed values out of nodes of a service's namespace (empty: of any) and
// remembers the first one that is malformed, which ASMX answers with a fault.
type reader struct {
	space string
	err   error
}

func (r *reader) child(n *node, local string) *node { return n.child(r.space, local) }

func (r *reader) all(n *node, array, item string) (items []*node) {
	list := r.child(n, array)
	if list == nil {
		return nil
	}
	for _, c := range list.children {
		if c.name.Local == item && (r.space == "" || c.name.Space == r.space) {
			items = append(items, c)
		}
	}
	return items
}

func (r *reader) text(n *node, local string) string {
	c := r.child(n, local)
	if c == nil {
		return ""
	}
	return c.text
}

// int reads a whole number of bits; an absent one is 0.
func (r *reader) int(n *node, local string, bits int) int64 {
	c := r.child(n, local)
	if c == nil {
		return 0
	}
	v, err := strconv.ParseInt(strings.TrimSpace(c.text), 10, bits)
	if err != nil {
		r.fail(local)
	}
	return v
}

// decimal reads a double; an absent one is 0.
func (r *reader) decimal(n *node, local string) money.Decimal {
	c := r.child(n, local)
	if c == nil {
		return money.Zero
	}
	v, err := money.Parse(strings.TrimSpace(c.text))
	if err != nil {
		r.fail(local)
	}
	return v
}

func (r *reader) fail(local string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s is not a number", local)
	}
}
