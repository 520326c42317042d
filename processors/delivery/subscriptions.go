package delivery

import (
	"context"
	"fmt"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"folio/commands/webhook"
	"folio/events"
)

// subscriptions knows what each company was subscribed to at any position of the log.
// A fact is owed to those who were subscribed when it was recorded, even if delivery
// comes to it much later.
type subscriptions struct {
	streams Streams

	mu         sync.Mutex
	generation uint64
	known      *lru.Cache[string, []version]
}

// version is a subscription from a position on.
type version struct {
	from  events.Position
	state webhook.State
}

const keptSubscriptions = 20_000

func newSubscriptions(s Streams) *subscriptions {
	return &subscriptions{streams: s, known: cacheOf[[]version](keptSubscriptions)}
}

// forget is called when the feed hears of a change, which comes before every later fact.
func (s *subscriptions) forget(company string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.generation++
	s.known.Remove(company)
}

func (s *subscriptions) forgetAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.generation++
	s.known.Purge()
}

// at is the subscription as it was at a position.
func (s *subscriptions) at(ctx context.Context, company string, p events.Position) (webhook.State, error) {
	versions, err := s.versions(ctx, company)
	if err != nil {
		return webhook.State{}, err
	}
	var state webhook.State
	for _, v := range versions {
		if p.Before(v.from) {
			break
		}
		state = v.state
	}
	return state, nil
}

// now is the subscription as far as the feed has heard.
func (s *subscriptions) now(ctx context.Context, company string) (webhook.State, error) {
	versions, err := s.versions(ctx, company)
	if err != nil || len(versions) == 0 {
		return webhook.State{}, err
	}
	return versions[len(versions)-1].state, nil
}

func (s *subscriptions) versions(ctx context.Context, company string) ([]version, error) {
	s.mu.Lock()
	known, ok := s.known.Get(company)
	generation := s.generation
	s.mu.Unlock()
	if ok {
		return known, nil
	}
	out := []version{}
	var state webhook.State
	for r, err := range s.streams.Read(ctx, webhook.Decider.Stream(company), 0) {
		if err == nil {
			r, err = events.Open(r)
		}
		if err != nil {
			return nil, fmt.Errorf("read the subscription of company %s: %w", company, err)
		}
		state = webhook.Evolve(state, r.Event)
		out = append(out, version{r.Position, state})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.generation == generation {
		s.known.Add(company, out)
	}
	return out, nil
}
