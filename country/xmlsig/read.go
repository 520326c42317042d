// Package xmlsig reads XML documents that strangers wrote and verifies their XML
// signatures (W3C XML-Signature, RSA), for the countries whose documents and numbering
// files are signed: Chile's SII and Uruguay's DGI.
package xmlsig

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/beevik/etree"
	"golang.org/x/text/encoding/charmap"
)

// Bounds of what is parsed. A document of 700 lines has 9,000 elements in 6 levels;
// what canonicalisation costs grows with the namespaces of an element.
const (
	maxElements   = 20_000
	maxDepth      = 24
	maxAttributes = 12
	maxNamespaces = 20 // that an element and those around it declare
)

// declaration is the XML declaration. It is left out before parsing: the text is UTF-8
// by then, whatever it says of the file that it came from.
var declaration = regexp.MustCompile(`^\s*<\?xml\s[^>]*\?>`)

// windows is the declaration of a file in windows-1252, which has letters where ISO-8859-1
// has control characters: what .NET writes for quotes, dashes and the euro sign.
var windows = regexp.MustCompile(`(?i)^\s*<\?xml\s[^>]*encoding\s*=\s*["'](windows-|cp)1252["']`)

// Read parses one document of at most limit bytes and returns its root. Files in UTF-8
// and in ISO-8859-1 are taken, whatever they declare, and those in windows-1252 that say
// so. Comments are left out, as the
// canonical forms do. It refuses a document type declaration, entities of its own and
// processing instructions, each of which can make two readers see two texts, and more
// elements than any tax document has.
func Read(file []byte, limit int) (*etree.Element, error) {
	if len(file) > limit {
		return nil, fmt.Errorf("it has %d bytes, at most %d are allowed", len(file), limit)
	}
	tree := etree.NewDocument()
	tree.ReadSettings.MaxDepth = maxDepth
	tree.ReadSettings.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	text := Text(file)
	if !utf8.Valid(file) && windows.MatchString(text) {
		text, _ = charmap.Windows1252.NewDecoder().String(string(file)) // what is no character there becomes U+FFFD
	}
	text = declaration.ReplaceAllString(text, "")
	if err := tree.ReadFromString(text); err != nil {
		return nil, fmt.Errorf("it is no well-formed XML: %w", err)
	}
	count := 0
	if err := tidy(&tree.Element, &count, 0); err != nil {
		return nil, err
	}
	if len(tree.ChildElements()) != 1 {
		return nil, errors.New("it is no whole XML document")
	}
	return tree.Root(), nil
}

// Text is a file as UTF-8. Who writes ISO-8859-1 often does not say so, and people save
// it again as UTF-8 and leave any declaration as it was. So the bytes decide: what is
// UTF-8 by chance would not verify.
func Text(file []byte) string {
	bare := strings.TrimPrefix(string(file), "\ufeff")
	if utf8.ValidString(bare) {
		return bare
	}
	text, _ := charmap.ISO8859_1.NewDecoder().String(bare) // every byte is a character there
	return text
}

// tidy takes the comments out of an element and refuses what has no place in it. scope is
// how many namespaces the elements around it declare.
func tidy(e *etree.Element, count *int, scope int) error {
	for _, a := range e.Attr {
		if a.Space == "xmlns" || a.Key == "xmlns" {
			scope++
		}
	}
	if *count++; *count > maxElements || len(e.Attr) > maxAttributes || scope > maxNamespaces {
		return errors.New("it has more elements, attributes or namespaces than any such document")
	}
	for _, child := range e.Child {
		switch child := child.(type) {
		case *etree.Directive:
			return errors.New("a document type declaration (DTD) is not allowed")
		case *etree.ProcInst:
			return errors.New("processing instructions are not allowed")
		case *etree.Element:
			if err := tidy(child, count, scope); err != nil {
				return err
			}
		}
	}
	e.Child = slices.DeleteFunc(e.Child, func(t etree.Token) bool { _, is := t.(*etree.Comment); return is })
	e.ReindexChildren()
	return nil
}

// Alone is an element as a document of its own, with no more namespaces than it needs:
// a document is signed before it is put into an envelope, so it must not inherit the
// envelope's. The element itself stays where it is.
func Alone(e *etree.Element) *etree.Element {
	out := e.Copy()
	for _, prefix := range undeclared(out, nil, &prefixes{has: map[string]bool{}}) {
		if uri := namespace(e, prefix); uri != "" && prefix == "" {
			out.CreateAttr("xmlns", uri)
		} else if uri != "" {
			out.CreateAttr("xmlns:"+prefix, uri)
		}
	}
	etree.NewDocument().SetRoot(out)
	return out
}

// undeclared are the prefixes that an element uses and does not declare, in order of
// use, after those that were found before.
func undeclared(e *etree.Element, declared []string, found *prefixes) []string {
	declared = slices.Clip(declared)
	for _, a := range e.Attr {
		switch {
		case a.Space == "xmlns":
			declared = append(declared, a.Key)
		case a.Space == "" && a.Key == "xmlns":
			declared = append(declared, "")
		}
	}
	found.use(e.Space, declared)
	for _, a := range e.Attr {
		if a.Space != "" && a.Space != "xmlns" && a.Space != "xml" {
			found.use(a.Space, declared)
		}
	}
	for _, child := range e.ChildElements() {
		undeclared(child, declared, found)
	}
	return found.list
}

// prefixes are a list without repetitions; a stranger's document may have thousands.
type prefixes struct {
	list []string
	has  map[string]bool
}

func (p *prefixes) use(prefix string, declared []string) {
	if !p.has[prefix] && !slices.Contains(declared, prefix) {
		p.list, p.has[prefix] = append(p.list, prefix), true
	}
}

// namespace is what a prefix means where the element stands, "" for nothing.
func namespace(e *etree.Element, prefix string) string {
	key := "xmlns"
	if prefix != "" {
		key = "xmlns:" + prefix
	}
	for ; e != nil; e = e.Parent() {
		if a := e.SelectAttr(key); a != nil {
			return a.Value
		}
	}
	return ""
}
