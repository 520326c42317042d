//go:build long

package e2e

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"folio/faultproxy/calls"
)

func TestAnswersOfALogInTrouble(t *testing.T) {
	t.Parallel()
	x := inTrouble(t)
	host, port, _ := strings.Cut(x.bytes.Address(), ":")
	always := func(a calls.Answer, methods ...string) func() {
		return func() {
			for _, m := range methods {
				x.calls.Answer(m, a)
			}
		}
	}
	x.through("answers lost", true, x.bytes.LoseAnswers)
	x.through("done and timed out", true, always(calls.CommitTimeout(calls.Before), "Append"))
	x.through("not ready", true, always(calls.NotReady(), "Append"))
	x.through("not leader", false, func() { x.calls.AnswerNext("Append", 3, calls.NotLeader(host, port)) })
	x.through("password changed", true, always(calls.Unauthenticated(), "Append", "Read"))
	x.through("right taken away", true, always(calls.AccessDenied(), "Append"))
	x.through("subscriptions dropped", false, func() { x.calls.Drop(calls.Dropped()) })
	x.through("slow", false, func() { x.bytes.Delay(100 * time.Millisecond) })
	x.through("unexpected", true, always(calls.Status(calls.Never, codes.Unknown, "surprise"), "Append", "Read"))
	x.check()
	x.p.stop(t)
}

// A process that was stopped finds every deadline passed when it goes on. It blames nobody.
func TestAProcessThatWasStoppedBlamesNobody(t *testing.T) {
	t.Parallel()
	x := inTrouble(t)
	x.c.issue(t, body("FCA", 1, "before"))
	for _, signal := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		if err := x.p.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if signal == syscall.SIGSTOP {
			time.Sleep(15 * time.Second) // past its leases and every deadline
		}
	}
	x.becomes(http.StatusOK, "is ready again")
	x.insist("after")
	x.check()
	x.p.stop(t)
}
