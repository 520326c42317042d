package arca

import (
	"encoding/xml"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// lenient is an answer without what says nothing: its tables hold the word NULL for an
// empty date, empty and absent are the same, and texts are damaged in places. The tokens
// are raw, for xml.NewTokenDecoder.
type lenient struct {
	from *xml.Decoder
	next []xml.Token // that were read ahead
}

// Token leaves out elements whose text is empty or NULL, and repairs texts.
func (l *lenient) Token() (xml.Token, error) {
	for {
		t, err := l.take()
		if _, begins := t.(xml.StartElement); err != nil || !begins {
			return t, err
		}
		seen, blank, err := l.ahead()
		if err != nil {
			return t, err
		}
		if blank {
			continue
		}
		l.next = append(seen, l.next...)
		return t, nil
	}
}

// ahead reads on until it is known whether the element that has just begun says nothing, and
// returns what it read.
func (l *lenient) ahead() (seen []xml.Token, blank bool, err error) {
	t, err := l.take()
	if err != nil {
		return nil, false, err
	}
	seen = append(seen, t)
	text, isText := t.(xml.CharData)
	if isText {
		if t, err = l.take(); err != nil {
			return nil, false, err
		}
		seen = append(seen, t)
	}
	_, ends := t.(xml.EndElement)
	return seen, ends && (len(text) == 0 || string(text) == "NULL"), nil
}

func (l *lenient) take() (xml.Token, error) {
	if len(l.next) > 0 {
		t := l.next[0]
		l.next = l.next[1:]
		return t, nil
	}
	t, err := l.from.RawToken()
	if text, ok := t.(xml.CharData); ok {
		return xml.CharData(repair(strings.TrimSpace(string(text)))), err
	}
	return xml.CopyToken(t), err
}

// repair undoes a text that was encoded as UTF-8 twice ("nÃºmero"), which some
// messages of the service are. Text that is not such a case stays as it is.
func repair(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r == 'Ã' || r == 'Â' }) < 0 {
		return s
	}
	for _, table := range []*charmap.Charmap{charmap.ISO8859_1, charmap.Windows1252} {
		once, err := table.NewEncoder().String(s)
		if err == nil && utf8.ValidString(once) {
			return once
		}
	}
	return s
}

// plain are messages but those that say nothing.
func plain(ms []Message) []Message {
	return slices.DeleteFunc(slices.Clone(ms), func(m Message) bool { return m == Message{} })
}
