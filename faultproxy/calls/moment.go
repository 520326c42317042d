package calls

import (
	"bytes"
	"strings"
)

// moment is when a test acts, once.
type moment struct {
	method, text string
	left         int // how many of its calls pass before it
	act          func()
}

// At runs act when the nth call (from 1) of a method that carries text is about to reach the
// server, which then never hears of that call: what came before it is done, and nothing after
// it. A later At replaces one that has not come.
func (p *Proxy) At(method, text string, nth int, act func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.moment = &moment{method: method, text: text, left: nth - 1, act: act}
}

// reached is what to do instead of passing f on; nil: pass it on.
func (p *Proxy) reached(method string, f *frame) func() {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.moment
	switch {
	case m == nil || !strings.HasSuffix(method, "/"+m.method) || !bytes.Contains(f.bytes, []byte(m.text)):
		return nil
	case m.left > 0:
		m.left--
		return nil
	}
	p.moment = nil
	return m.act
}
