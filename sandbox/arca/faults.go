package arca

import (
	"net/http"

	"folio/sandbox/desk"
)

// before applies the faults that keep a call from being processed as it is. True: it
// was answered.
func (s *Server) before(w http.ResponseWriter, r *http.Request, c *call) bool {
	for _, f := range c.struck {
		if f.Effect == TakeNumber {
			if err := s.takeNext(r.Context(), c); err != nil {
				desk.Broken(s.log, r, err, "sandbox of ARCA: take a number")
			}
			continue
		}
		const page = "<html><head><title>Mantenimiento</title></head><body>El servicio no se encuentra disponible.<br></body></html>"
		if desk.Before(w, r, []desk.Fault{f.common()}, page) {
			return true
		}
	}
	return false
}

// answer writes an answer, or loses it.
func (c *call) answer(w http.ResponseWriter, r *http.Request, kind, body string) {
	struck := make([]desk.Fault, len(c.struck))
	for i, f := range c.struck {
		struck[i] = f.common()
	}
	desk.Answer(w, r, struck, http.StatusOK, kind, body)
}

// common is what the other sandboxes know of a fault too.
func (f Fault) common() desk.Fault {
	return desk.Fault{Effect: f.Effect, Delay: desk.Duration(f.Delay)}
}

// delay is the latency of every call.
func (s *Server) delay(r *http.Request) {
	s.mu.Lock()
	d := s.knobs.Latency
	s.mu.Unlock()
	if d > 0 {
		desk.Wait(r.Context(), d)
	}
}

// message is what a fault says: its own text, or the service's of its code.
func (f Fault) message(svc *service) Message {
	if f.Text == "" {
		return svc.coded(f.Code)
	}
	return Message{f.Code, f.Text}
}
