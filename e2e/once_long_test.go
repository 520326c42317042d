//go:build long

package e2e

import (
	"net/http"
	"sync"
	"testing"
)

// reborn is a service that is killed once while many clients send, and started again.
type reborn struct {
	mu    sync.Mutex
	base  string
	again chan struct{} // closed when it is back
}

func (r *reborn) address() (string, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.base, r.again
}

// send repeats a posting until there is an answer: after the kill the next try goes to the service
// that came back.
func (r *reborn) send(s *shopOnce, x posting) (answer, error) {
	for tries := 0; ; tries++ {
		base, again := r.address()
		a, err := s.client(x, base).send(http.MethodPost, x.path, x.body)
		switch {
		case err != nil && tries < 3:
			<-again
		case err == nil && a.status == http.StatusServiceUnavailable && tries < 100:
		default:
			return a, err
		}
	}
}

// TestEveryPostWithOneKeyIsDoneOnceThoughTheServiceIsKilled kills it when the key is used, and when
// its answer is kept, of each posting that 64 clients send at once.
func TestEveryPostWithOneKeyIsDoneOnceThoughTheServiceIsKilled(t *testing.T) {
	for n, moment := range []string{"RequestAccepted", "RequestAnswered"} {
		t.Run(moment, func(t *testing.T) {
			dir := t.TempDir()
			p := serve(t, dir, unlimited...)
			s := openShop(t, p, n+1)
			for _, x := range s.postings(t, dir) {
				at := moment
				if x.name == "invoice" && at == "RequestAnswered" {
					at = "InvoiceCreated" // is its answer
				}
				before := s.total(t, x, p.base)
				d := &deadly{t: t, dir: dir, p: p}
				d.whenLogged(at)
				r := &reborn{base: p.base, again: make(chan struct{})}
				var answers []answer
				var mu sync.Mutex
				done := make(chan struct{})
				go func() {
					defer close(done)
					each(t, 64, 64, func(int) error {
						a, err := r.send(s, x)
						mu.Lock()
						defer mu.Unlock()
						answers = append(answers, a)
						return err
					})
				}()
				p.dies(t, x.name)
				p = serve(t, dir, unlimited...)
				r.mu.Lock()
				r.base = p.base
				r.mu.Unlock()
				close(r.again)
				<-done
				x.agree(t, answers)
				if n := s.total(t, x, p.base) - before; x.listed != "" && n != 1 {
					t.Errorf("%s: %d more are listed", x.name, n)
				}
			}
			p.stop(t)
		})
	}
}
