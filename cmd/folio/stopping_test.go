package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"testing"
)

func TestTheExitCodeTellsWhetherTheWorkWasDone(t *testing.T) {
	stopped, stop := context.WithCancelCause(context.Background())
	stop(stopSignal{syscall.SIGTERM})
	away := errors.New("the log is away")
	for _, c := range []struct {
		ctx    context.Context
		err    error
		serves bool
		code   int
		says   bool
	}{
		{context.Background(), nil, false, 0, false},
		{context.Background(), away, false, 1, true},
		{context.Background(), away, true, 1, true},
		{stopped, nil, true, 0, false},
		{stopped, nil, false, 0, false}, // it had finished
		{stopped, fmt.Errorf("start: %w", context.Canceled), true, 0, false},
		{stopped, away, true, 1, true},
		{stopped, fmt.Errorf("copy: %w", context.Canceled), false, 143, true},
		{stopped, errors.New("rpc error: canceled"), false, 143, true},
	} {
		code, says := exitCode(c.ctx, c.err, c.serves)
		if code != c.code || (says != "") != c.says {
			t.Errorf("%v, serves %t: %d %q, want %d", c.err, c.serves, code, says, c.code)
		}
	}
}
