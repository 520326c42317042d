package protocol

import (
	"bytes"
	"fmt"
	"time"

	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/streams"
	"github.com/dlclark/regexp2"
)

const (
	regexTimeout  = 100 * time.Millisecond
	maxRegex      = 4 << 10
	maxPrefixes   = 1000
	defaultWindow = 32
)

// Filter selects events of $all by their type or their stream's name.
type Filter struct {
	ByStream   bool
	prefixes   [][]byte
	expression *regexp2.Regexp
	notSystem  bool   // the clients' own filter for user events, without the regex machine
	Every      uint64 // events considered between two checkpoints; 0 when there is no filter
}

const notSystemRegex = `^[^\$].*`

// ParseFilter answers nil for a read without filter. Expressions are in .NET's dialect, which
// includes look-ahead; each match is bounded in time.
func ParseFilter(o *streams.ReadReq_Options_FilterOptions) (*Filter, error) {
	if o == nil {
		return nil, nil
	}
	f := &Filter{}
	var e *streams.ReadReq_Options_FilterOptions_Expression
	switch kind := o.GetFilter().(type) {
	case *streams.ReadReq_Options_FilterOptions_StreamIdentifier:
		f.ByStream, e = true, kind.StreamIdentifier
	case *streams.ReadReq_Options_FilterOptions_EventType:
		e = kind.EventType
	default:
		return nil, Invalid("The filter must be on the stream's name or on the event's type.")
	}
	if err := f.Choose(e.GetRegex(), e.GetPrefix()); err != nil {
		return nil, err
	}
	window := uint64(defaultWindow)
	if m, ok := o.GetWindow().(*streams.ReadReq_Options_FilterOptions_Max); ok {
		window = uint64(m.Max)
	}
	f.Every = window * uint64(o.GetCheckpointIntervalMultiplier())
	if f.Every == 0 {
		return nil, Broken("The checkpoint interval of a filter must not be zero.")
	}
	return f, nil
}

// Choose takes the expression where there is one, otherwise the prefixes.
func (f *Filter) Choose(regex string, prefixes []string) error {
	if regex != "" {
		return f.compile(regex)
	}
	if len(prefixes) > maxPrefixes {
		return Invalid("The filter has too many prefixes: at most 1000.")
	}
	for _, p := range prefixes {
		f.prefixes = append(f.prefixes, []byte(p))
	}
	return nil
}

func (f *Filter) compile(expression string) error {
	if expression == notSystemRegex {
		f.notSystem = true
		return nil
	}
	if len(expression) > maxRegex {
		return Invalid("The filter's regular expression is too long: at most 4096 bytes.")
	}
	re, err := regexp2.Compile(expression, regexp2.None)
	if err != nil {
		return Invalid(fmt.Sprintf("The filter's regular expression is not valid: %v.", err))
	}
	re.MatchTimeout = regexTimeout
	f.expression = re
	return nil
}

// StreamPrefixes are the beginnings of the names of the streams that f selects; none where it selects otherwise.
func (f *Filter) StreamPrefixes() [][]byte {
	if f == nil || !f.ByStream || f.notSystem || f.expression != nil {
		return nil
	}
	return f.prefixes
}

func (f *Filter) Matches(r *storage.Record) (bool, error) {
	if f == nil {
		return true, nil
	}
	subject := r.Kind
	if f.ByStream {
		subject = r.Stream
	}
	switch {
	case f.notSystem:
		return len(subject) > 0 && subject[0] != '$' && subject[0] != '\n', nil
	case f.expression != nil:
		ok, err := f.expression.MatchString(string(subject))
		if err != nil {
			return false, Invalid(fmt.Sprintf("The filter's regular expression took longer than %s on %q: make it simpler.",
				regexTimeout, subject))
		}
		return ok, nil
	}
	for _, p := range f.prefixes {
		if bytes.HasPrefix(subject, p) {
			return true, nil
		}
	}
	return false, nil
}
