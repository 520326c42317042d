package lanes

import "time"

// Next is what a turn says about the next one of its lane.
type Next struct {
	kind  kind
	at    time.Time
	err   error
	nudge bool
}

type kind int

const (
	done kind = iota
	again
	until
	failed
)

// Done says that nothing is left to do: the lane ends, unless it was woken meanwhile.
func Done() Next { return Next{kind: done} }

// Again wants the next turn as soon as the others have had theirs.
func Again() Next { return Next{kind: again} }

// Until wants the next turn at a time, or when the lane is woken.
func Until(t time.Time) Next { return Next{kind: until, at: t} }

// Asleep wants the next turn when the lane is woken.
func Asleep() Next { return Next{kind: until} }

// Failed wants the next turn after a pause that grows with the failures in a row, or when the lane is woken.
func Failed(err error) Next { return Next{kind: failed, err: err} }

// NotBefore says of a failure that it is no use to try before a time.
func (n Next) NotBefore(t time.Time) Next {
	n.at = t
	return n
}

// OrMore says of a pause that more to do ends it, too: see Set.More.
func (n Next) OrMore() Next {
	n.nudge = true
	return n
}

// Pauses grow with the failures in a row.
type Pauses struct {
	Base  time.Duration
	Steps []int // the pauses after the first, second, ... failure, in units of Base; the last one stays
	// 0 to 1: a pause varies by a fifth, so that what failed together does not come back together; nil: it does not
	Random func() float64
}

// After is the pause after so many failures, one or more.
func (p Pauses) After(failures int) time.Duration {
	d := p.Base
	if len(p.Steps) > 0 {
		d *= time.Duration(p.Steps[min(failures, len(p.Steps))-1])
	}
	if p.Random != nil {
		d += time.Duration((p.Random() - 0.5) * 0.4 * float64(d))
	}
	return d
}
