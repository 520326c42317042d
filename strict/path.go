package strict

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// rootPath names the body itself, which has no name.
const rootPath = "$"

// path names a value as the caller wrote it: items[2].taxes[0].amount.
func (b *Body) path(at int32) string {
	n := &b.nodes[at]
	if n.parent < 0 {
		return rootPath
	}
	if b.nodes[n.parent].kind == '[' {
		index := 0
		for i := b.nodes[n.parent].first; i != at; i = b.nodes[i].next {
			index++
		}
		return element(b.path(n.parent), index)
	}
	return member(b.path(n.parent), n.name)
}

func element(parent string, index int) string {
	if parent == rootPath {
		parent = ""
	}
	return parent + "[" + strconv.Itoa(index) + "]"
}

// member joins a name; one that is no plain word is quoted and cut, since it may be
// anything.
func member(parent, name string) string {
	if parent == rootPath {
		parent = ""
	}
	if !plainName(name) {
		return parent + "[" + strconv.QuoteToASCII(Shorten(name, 64)) + "]"
	}
	if parent == "" {
		return name
	}
	return parent + "." + name
}

func plainName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return true
}

// fromPointer words an RFC 6901 pointer as a path; digits are taken for indices.
func fromPointer(p jsontext.Pointer) string {
	path := rootPath
	for token := range p.Tokens() {
		if i, err := strconv.Atoi(token); err == nil && !strings.HasPrefix(token, "-") {
			path = element(path, i)
			continue
		}
		path = member(path, token)
	}
	return path
}

// Shorten cuts s to n bytes at most, at a character's border.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
