//go:build long

package e2e

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"
)

// reborn is a service that is killed while many clients send, and started again somewhere else.
type reborn struct {
	first, second string        // addresses
	again         chan struct{} // closed when it is back
}

// send repeats a posting until there is an answer. A call that was cut waits until the service is back, and one that is
// put off for as long as it was told to.
func (r *reborn) send(s *shopOnce, x posting) (a answer, err error) {
	base := r.first
	for range 60 {
		a, err = s.client(x, base).send(http.MethodPost, x.path, x.body)
		switch {
		case err != nil && base == r.first:
			<-r.again
			base = r.second
		case err == nil && a.status == http.StatusServiceUnavailable:
			wait, bad := strconv.Atoi(a.header.Get("Retry-After"))
			if bad != nil {
				return a, fmt.Errorf("%s: 503 without Retry-After: %s", x.name, a.body)
			}
			time.Sleep(time.Duration(wait) * time.Second) // the contract of Retry-After
		default:
			return a, err
		}
	}
	return a, err
}

// TestEveryPostWithOneKeyIsDoneOnceThoughTheServiceIsKilled sends each posting from 64 clients at once and kills the
// service: when the first of its facts is on the disk, and when the first client has its answer.
func TestEveryPostWithOneKeyIsDoneOnceThoughTheServiceIsKilled(t *testing.T) {
	for n, moment := range []string{"the first fact", "the first answer"} {
		t.Run(moment, func(t *testing.T) {
			dir := t.TempDir()
			p := serve(t, dir, unlimited...)
			s := openShop(t, p, dir, n+1)
			for _, x := range s.postings(t, dir) {
				p = onceKilled(t, s, x, p, dir, moment == "the first fact")
			}
			p.stop(t)
			if stdout, stderr, code := command(t, "verify", "--data", dir); code != 0 {
				t.Errorf("verify: %s%s", stdout, stderr)
			}
		})
	}
}

// onceKilled is one posting, and the service that goes on after it.
func onceKilled(t *testing.T, s *shopOnce, x posting, p *process, dir string, early bool) *process {
	t.Helper()
	before := s.total(t, x, p.base)
	if early {
		(&deadly{t: t, dir: dir, p: p}).when("log/events.db", "SELECT coalesce(max(pos), 0) FROM events",
			"SELECT count(*) FROM events WHERE pos > ?")
	}
	r := &reborn{first: p.base, again: make(chan struct{})}
	var mu sync.Mutex
	var answers []answer
	kill := sync.OnceFunc(func() {
		if !early {
			go p.kill()
		}
	})
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		each(t, 64, 64, func(int) error {
			a, err := r.send(s, x)
			kill()
			mu.Lock()
			defer mu.Unlock()
			answers = append(answers, a)
			return err
		})
	}()
	select {
	case <-p.done:
	case <-sent: // nobody had to repeat it
		p.kill()
	}
	next := serve(t, dir, unlimited...)
	r.second = next.base
	close(r.again)
	<-sent
	x.agree(t, answers)
	if n := s.total(t, x, next.base) - before; x.listed != "" && n != 1 {
		t.Errorf("%s: %d more are listed", x.name, n)
	}
	return next
}
