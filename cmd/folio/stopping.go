package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"folio/clock"
	"folio/httpapi"
)

// stopSignal is the cause of a context that ended because the program was told to stop.
type stopSignal struct{ syscall.Signal }

func (s stopSignal) Error() string { return "stopped: " + s.String() }

// untilStopped is a context that ends with the first SIGINT or SIGTERM. The second one ends the
// process at once, as it does without this.
func untilStopped() context.Context {
	ctx, stop := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		got, _ := (<-signals).(syscall.Signal)
		signal.Stop(signals)
		stop(stopSignal{got})
	}()
	return ctx
}

// stoppedBy is the signal that ended ctx, 0 if none did.
func stoppedBy(ctx context.Context) syscall.Signal {
	var s stopSignal
	if !errors.As(context.Cause(ctx), &s) {
		return 0
	}
	return s.Signal
}

// exitCode is what the program ends with after err, and what it says of it. Whoever ends a service
// wants it to end; any other command that was interrupted has not done what it was asked for.
func exitCode(ctx context.Context, err error, serves bool) (code int, says string) {
	by := stoppedBy(ctx)
	switch {
	case err == nil, serves && errors.Is(err, context.Canceled):
		return 0, ""
	case by != 0 && !serves:
		return 128 + int(by), fmt.Sprintf("interrupted (%s): what was asked for is not finished", by)
	}
	return 1, explain(err)
}

// drain waits for the stop, then for as long as --drain says, or until serving ends by itself. Who
// stops the service with Ctrl-C looks at it: nothing has to be told to a load balancer.
func (s *service) drain(ctx, serving context.Context) {
	select {
	case <-ctx.Done():
	case <-serving.Done():
		return
	}
	wait := s.flags.Drain
	if stoppedBy(ctx) == syscall.SIGINT {
		wait = 0
	}
	s.logger.Info("stopping: readyz says so, and requests are served until the load balancers know it", "drain",
		wait.String())
	if wait > 0 {
		clock.Sleep(serving, wait)
	}
	s.logger.Info("no more connections are taken", "requests_have", httpapi.DrainTimeout.String())
}

// isStopping says that the service was told to stop.
func (s *service) isStopping() bool {
	select {
	case <-s.stopping:
		return true
	default:
		return false
	}
}
