package httpapi

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"time"

	"folio/clock"
	"folio/fault"
	"folio/strict"

	"github.com/go-json-experiment/json"
)

// LinesType is the media type of JSON texts that stand one on a line each.
const LinesType = "application/x-ndjson"

// Lines are a request and an answer of JSON lines: each line is answered as soon as it is
// dealt with, while the rest may still be on its way.
type Lines struct {
	w      http.ResponseWriter
	r      *http.Request
	rc     *http.ResponseController
	in     *bufio.Reader
	limits LineLimits
	begun  bool
	number int
	read   int64
	sender sender
	end    func()        // called by End
	heard  chan struct{} // closed when nothing else sets a deadline any more
}

// LineLimits bound a request of lines, in bytes and in number. While Wanted says that others need
// its place, a request ends whose sender let it wait for longer than Patience, all lines together.
type LineLimits struct {
	Line, All int64
	Lines     int
	Wanted    func() bool // nil: nobody ever does
	Patience  time.Duration
}

// Line is one line of a request. Fault is what is wrong with it as a line.
type Line struct {
	Number int // from 1 on, empty lines among them
	Text   []byte
	Fault  error
}

// ReadLines begins a request of lines. Its faults: 415 unless the content type is LinesType, 413
// for a body that says that it is larger than all its lines may be.
func ReadLines(w http.ResponseWriter, r *http.Request, limits LineLimits) (*Lines, error) {
	if err := wantPlain(r); err != nil {
		return nil, err
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != LinesType {
		return nil, fault.New(fault.WrongType, "LINES_REQUIRED",
			"This endpoint takes JSON lines: send the header Content-Type: "+LinesType+".")
	}
	if r.ContentLength > limits.All {
		return nil, strict.BodyTooLarge(limits.All)
	}
	if err := admitBody(r, limits.Line); err != nil {
		return nil, err
	}
	rc := http.NewResponseController(w)
	if err := rc.EnableFullDuplex(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return nil, fmt.Errorf("answer while reading: %w", err)
	}
	ctx, end := context.WithCancel(r.Context())
	l := &Lines{w: w, r: r, rc: rc, in: bufio.NewReaderSize(r.Body, 64<<10), limits: limits, end: end,
		heard: make(chan struct{})}
	go l.hear(ctx)
	return l, nil
}

// hear ends the wait for a line that is not there yet when the service stops, and when others
// need the place of a sender that is slow.
func (l *Lines) hear(ctx context.Context) {
	defer close(l.heard)
	if Displaced(ctx, l.wanted) {
		l.sender.give()
		_ = l.rc.SetReadDeadline(time.Now()) //nolint:errcheck // a connection without deadlines is cut off in the end
	}
}

func (l *Lines) wanted() bool {
	return l.limits.Wanted != nil && l.sender.slow(l.limits.Patience) && l.limits.Wanted()
}

// over is why the request goes no further although its sender is there.
func (l *Lines) over() error {
	switch {
	case Stops(l.r.Context()):
		return stopping()
	case l.sender.given():
		return &fault.Error{Code: fault.Unavailable, Constant: "BUSY", RetryAfter: 2,
			Text: "Others need the place of this request, whose next line was waited for too long. Send what was not " +
				"answered again, with the same keys."}
	}
	return nil
}

// Next is the next line that is not empty; io.EOF after the last. A line that is too long has a
// fault and the next one may be read; any error ends the request, as those do of over.
func (l *Lines) Next() (Line, error) {
	l.sender.begin()
	defer l.sender.end()
	for {
		l.extend()
		if err := l.over(); err != nil { // after extend, which would take back what hear has set
			return Line{Number: l.number + 1}, err
		}
		line := Line{}
		for {
			part, err := l.in.ReadSlice('\n')
			if l.read += int64(len(part)); l.read > l.limits.All {
				l.number++
				return Line{Number: l.number}, strict.BodyTooLarge(l.limits.All)
			}
			if int64(len(line.Text)+len(part)) > l.limits.Line {
				line.Fault = strict.BodyTooLarge(l.limits.Line)
				line.Text = nil
			} else if line.Fault == nil {
				line.Text = append(line.Text, part...)
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if err != nil && !errors.Is(err, io.EOF) {
				line.Number = l.number + 1
				return line, cmp.Or(l.over(), strict.BodyFault(err))
			}
			if errors.Is(err, io.EOF) && len(line.Text) == 0 && line.Fault == nil {
				return line, io.EOF
			}
			break
		}
		l.number++
		if line.Number = l.number; line.Fault == nil && blank(line.Text) {
			continue
		}
		if l.number > l.limits.Lines {
			return line, fault.New(fault.TooLarge, "TOO_MANY_ROWS",
				fmt.Sprintf("A request has at most %d rows: send the rest in another one.", l.limits.Lines))
		}
		return line, nil
	}
}

func blank(text []byte) bool {
	return !slices.ContainsFunc(text, func(c byte) bool {
		return c != ' ' && c != '\t' && c != '\r' && c != '\n'
	})
}

// extend gives the next line the time that a request has: all of them together may take longer.
func (l *Lines) extend() {
	now := time.Now()
	//nolint:errcheck // a connection without deadlines has none to move
	_, _ = l.rc.SetReadDeadline(now.Add(ReadTimeout)), l.rc.SetWriteDeadline(now.Add(WriteTimeout))
}

// Answer sends one line. Its error says that the caller has gone.
func (l *Lines) Answer(v any) error {
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("encode a line: %w", err)
	}
	if !l.begun {
		l.begun = true
		Localized(l.w.Header(), InSpanish(l.r))
		l.w.Header().Set("Content-Type", LinesType)
		l.w.WriteHeader(http.StatusOK)
	}
	if _, err := l.w.Write(lined(text)); err != nil {
		return fmt.Errorf("answer a line: %w", err)
	}
	if err := l.rc.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("answer a line: %w", err)
	}
	return nil
}

// End ends the answer. What was not read is thrown away, so that a caller who is still sending
// gets what was answered.
func (l *Lines) End() {
	l.end()
	<-l.heard
	if !l.begun {
		l.w.Header().Set("Content-Type", LinesType)
		l.w.WriteHeader(http.StatusOK)
	}
	drain(l.w, l.r)
}

// Pace counts one more call of the request's credential, and waits until its limits allow it. The call is made under
// the context that it gives, like that of a request of its own: how long the log may be waited for begins anew.
// It is an error when the caller leaves or the service stops.
func Pace(ctx context.Context) (call context.Context, err error) {
	x := exchangeOf(ctx)
	if Stops(ctx) {
		return nil, stopping()
	}
	for x.charge != nil {
		d := x.charge()
		if d.Allowed {
			break
		}
		ends, stop := context.WithTimeout(ctx, time.Duration(d.RetryAfter)*time.Second)
		stopped := clock.Await(ends, nil, Stopping(ctx))
		stop()
		if stopped || ctx.Err() != nil {
			return nil, stopping()
		}
	}
	return x.again(ctx), nil
}

func stopping() error {
	return &fault.Error{Code: fault.Unavailable, Constant: "STOPPING", RetryAfter: 1,
		Text: "The service stops. Send what was not answered again, with the same keys."}
}

// Problem is the problem document of an error, and its status, for whoever answers several
// things at once. It logs what Fail would log.
func Problem(r *http.Request, err error) (status int, body []byte) {
	x := exchangeOf(r.Context())
	f, k := x.classified(r, err)
	return k.status, encodeProblem(r, x.id, f, k)
}
