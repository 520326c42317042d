package arca

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"folio/money"

	"golang.org/x/text/encoding/charmap"
)

// The types below read what the service writes: empty, absent and NULL are the same
// (its tables hold the word NULL for an empty date), numbers may be padded.

// text is one text of an answer, repaired.
type text string

func (t *text) UnmarshalText(b []byte) error {
	s := strings.TrimSpace(string(b))
	if s == "NULL" {
		s = ""
	}
	*t = text(repair(s))
	return nil
}

// integer is one whole number of an answer.
type integer int64

func (i *integer) UnmarshalText(b []byte) error {
	s := strings.TrimSpace(string(b))
	if s == "" || s == "NULL" {
		*i = 0
		return nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return fmt.Errorf("%.30q is not a whole number", s)
	}
	*i = integer(n)
	return nil
}

// amount is one decimal of an answer.
type amount struct{ money.Decimal }

func (a *amount) UnmarshalText(b []byte) error {
	s := strings.TrimSpace(string(b))
	if s == "" || s == "NULL" {
		a.Decimal = money.Zero
		return nil
	}
	d, err := money.Parse(s)
	a.Decimal = d
	return err
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

// message is Err, Evt or Obs.
type message struct {
	Code integer `xml:"Code"`
	Msg  text    `xml:"Msg"`
}

func plain(ms []message) []Message {
	var out []Message
	for _, m := range ms {
		if m.Code == 0 && m.Msg == "" {
			continue
		}
		out = append(out, Message{Code: int(m.Code), Text: string(m.Msg)})
	}
	return out
}
