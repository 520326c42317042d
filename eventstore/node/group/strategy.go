package group

import "hash/fnv"

// assigner chooses a consumer for a message, or none for now.
type assigner interface {
	pick(consumers []*Consumer, m *Message) *Consumer
	landed(c *Consumer, m *Message) // a message came back
	left(c *Consumer)
	selective() bool // whether a message that finds no place says nothing of the next
}

func newAssigner(s Strategy) assigner {
	switch s {
	case DispatchToSingle:
		return single{}
	case Pinned:
		return &pinned{key: func(m *Message) string { return m.Stream }}
	case PinnedByCorrelation:
		return &pinned{key: func(m *Message) string {
			if m.Correlation != "" {
				return m.Correlation
			}
			return m.Stream
		}}
	}
	return &roundRobin{}
}

// roundRobin takes turns.
type roundRobin struct{ next int }

func (r *roundRobin) pick(consumers []*Consumer, _ *Message) *Consumer {
	for range consumers {
		c := consumers[r.next%len(consumers)]
		r.next = (r.next + 1) % len(consumers)
		if c.room() > 0 {
			return c
		}
	}
	return nil
}
func (*roundRobin) landed(*Consumer, *Message) {}
func (*roundRobin) left(*Consumer)             {}
func (*roundRobin) selective() bool            { return false }

// single fills the consumer that came first before it turns to the next.
type single struct{}

func (single) pick(consumers []*Consumer, _ *Message) *Consumer {
	for _, c := range consumers {
		if c.room() > 0 {
			return c
		}
	}
	return nil
}
func (single) landed(*Consumer, *Message) {}
func (single) left(*Consumer)             {}
func (single) selective() bool            { return false }

const buckets = 1024

// pinned sends everything of one key to one consumer. Keys are spread over buckets, and a bucket moves
// only while none of its messages is on its way, so that a key is with one consumer at a time.
type pinned struct {
	key    func(*Message) string
	owner  [buckets]*Consumer
	flying [buckets]int
}

func (p *pinned) bucket(m *Message) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(p.key(m)))
	return int(h.Sum32() % buckets)
}

func (p *pinned) pick(consumers []*Consumer, m *Message) *Consumer {
	if len(consumers) == 0 {
		return nil
	}
	b := p.bucket(m)
	if p.flying[b] == 0 {
		p.place(b, consumers)
	}
	c := p.owner[b]
	if c == nil || c.room() <= 0 {
		return nil
	}
	p.flying[b]++
	return c
}

// place gives a free bucket to the consumer with the fewest unless its owner has no more than its share.
func (p *pinned) place(b int, consumers []*Consumer) {
	owned := make(map[*Consumer]int, len(consumers))
	for _, c := range p.owner {
		if c != nil {
			owned[c]++
		}
	}
	least := consumers[0]
	for _, c := range consumers {
		if owned[c] < owned[least] {
			least = c
		}
	}
	if current := p.owner[b]; current == nil || owned[current] > owned[least]+1 {
		p.owner[b] = least
	}
}

func (p *pinned) landed(_ *Consumer, m *Message) { p.flying[p.bucket(m)]-- }

func (p *pinned) left(c *Consumer) {
	for b := range p.owner {
		if p.owner[b] == c {
			p.owner[b] = nil
		}
	}
}
func (*pinned) selective() bool { return true }
