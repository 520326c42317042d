package sqlfile_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"

	"folio/fault"
	"folio/sqlfile"
)

// put adds a number, and then fails with err.
func put(n int, err error) func(context.Context, *sql.Tx) error {
	return func(ctx context.Context, tx *sql.Tx) error {
		_, failed := tx.ExecContext(ctx, "INSERT INTO t VALUES (?)", n)
		return errors.Join(failed, err)
	}
}

func count(t *testing.T, w *sqlfile.Writer, where string) (n int) {
	t.Helper()
	if err := w.DB.QueryRowContext(t.Context(), "SELECT count(*) FROM t WHERE "+where).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// behind holds up a group until more changes wait in it, and lets them go.
func behind(t *testing.T, g *sqlfile.Group) (release func()) {
	t.Helper()
	began, goOn, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- g.Transact(t.Context(), func(context.Context, *sql.Tx) error {
			close(began)
			<-goOn
			return nil
		})
	}()
	<-began
	return func() {
		close(goOn)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestAChangeThatFailsIsUndoneAlone(t *testing.T) {
	w, _ := open(t)
	g := sqlfile.NewGroup(w)
	release, broken := behind(t, g), errors.New("broken")
	var all sync.WaitGroup
	for n := range 200 {
		all.Go(func() {
			var want error
			if n%3 == 0 {
				want = broken
			}
			if err := g.Transact(t.Context(), put(n, want)); !errors.Is(err, want) {
				t.Errorf("%d: %v", n, err)
			}
		})
	}
	release()
	all.Wait()
	if good, bad := count(t, w, "n % 3 <> 0"), count(t, w, "n % 3 = 0"); good != 133 || bad != 0 {
		t.Errorf("%d good and %d bad ones are there", good, bad)
	}
}

func TestWhoLeavesWhileItWaitsChangesNothing(t *testing.T) {
	w, _ := open(t)
	g := sqlfile.NewGroup(w)
	release := behind(t, g)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 100)
	for n := range 100 {
		go func() { left <- g.Transact(ctx, put(n, nil)) }()
	}
	leave()
	for range 100 {
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	}
	release()
	if err := g.Transact(t.Context(), put(1000, nil)); err != nil {
		t.Fatal(err)
	}
	if n := count(t, w, "true"); n != 1 {
		t.Errorf("%d changes are there", n)
	}
}

func TestOfThoseWhoLeaveAnyTimeEachKnowsWhatBecameOfItsChange(t *testing.T) {
	w, _ := open(t)
	g := sqlfile.NewGroup(w)
	var all sync.WaitGroup
	done := make([]bool, 300)
	for n := range done {
		all.Go(func() {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			if n%2 == 0 {
				go leave()
			}
			done[n] = g.Transact(ctx, put(n, nil)) == nil
		})
	}
	all.Wait()
	for n, yes := range done {
		if is := count(t, w, fmt.Sprint("n = ", n)) == 1; is != yes {
			t.Errorf("%d: told %v, is %v", n, yes, is)
		}
	}
}

func TestAPanicHoldsUpNobody(t *testing.T) {
	w, _ := open(t)
	g := sqlfile.NewGroup(w)
	func() {
		defer func() { _ = recover() }()
		_ = g.Transact(t.Context(), func(context.Context, *sql.Tx) error { panic("boom") })
	}()
	err := g.Transact(t.Context(), put(1, nil))
	if err != nil && !errors.Is(err, fault.StoreUnavailable) { // the panic may keep the connection
		t.Error(err)
	}
}
