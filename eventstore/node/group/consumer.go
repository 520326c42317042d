package group

import (
	"errors"
	"time"
)

// Consumer is one connected reader of a group.
type Consumer struct {
	Name     string
	capacity int
	outbox   []Message
	flying   map[[16]byte][]flight // by message id: two events of $all may share one
	count    int
	total    int64
	wake     chan struct{}
}

type flight struct {
	Message
	deadline time.Time // zero for never
}

// ErrTooManyConsumers says that the group has as many as its settings allow.
var ErrTooManyConsumers = errors.New("the group has all the subscribers it may have")

// Join connects a consumer that takes up to capacity unacknowledged messages at a time.
func (g *Group) Join(name string, capacity int) (*Consumer, error) {
	if g.settings.MaxSubscriberCount > 0 && len(g.consumers) >= g.settings.MaxSubscriberCount {
		return nil, ErrTooManyConsumers
	}
	c := &Consumer{Name: name, capacity: capacity, flying: map[[16]byte][]flight{}, wake: make(chan struct{}, 1)}
	g.consumers = append(g.consumers, c)
	return c, nil
}

// Leave disconnects a consumer; what it had is tried again with others.
func (g *Group) Leave(c *Consumer) (parks []Park) {
	for i := range g.consumers {
		if g.consumers[i] == c {
			g.consumers = append(g.consumers[:i:i], g.consumers[i+1:]...)
			break
		}
	}
	g.assign.left(c)
	for id := range c.flying {
		for range c.flying[id] {
			parks = append(parks, g.again(g.land(c, id), "The subscriber went away too often.")...)
		}
	}
	return parks
}

// Action is what a consumer asks for a message that it could not handle.
type Action int

// Unknown leaves it to the group, which tries again.
const (
	Unknown Action = iota
	ToPark
	ToRetry
	ToSkip
	Stop
)

// Ack ends messages. Ids that the consumer does not hold are ignored: they were tried elsewhere meanwhile.
func (g *Group) Ack(c *Consumer, ids ...[16]byte) {
	for _, id := range ids {
		if len(c.flying[id]) > 0 {
			m := g.land(c, id)
			g.Done(&m)
		}
	}
}

// Nack gives messages back. What must be parked is answered.
func (g *Group) Nack(c *Consumer, action Action, reason string, ids ...[16]byte) (parks []Park) {
	for _, id := range ids {
		if len(c.flying[id]) == 0 || action == Stop {
			continue
		}
		m := g.land(c, id)
		switch action {
		case ToPark:
			parks = append(parks, Park{m, reason})
		case ToSkip:
			g.Done(&m)
		default:
			parks = append(parks, g.again(m, "Maximum retries reached: "+reason)...)
		}
	}
	return parks
}

// Expire takes back messages that were not answered in time.
func (g *Group) Expire(now time.Time) (parks []Park) {
	for _, c := range g.consumers {
		for id, flights := range c.flying {
			for range flights {
				if d := c.flying[id][0].deadline; d.IsZero() || now.Before(d) {
					break
				}
				parks = append(parks, g.again(g.land(c, id), "Maximum retries reached: no answer in time.")...)
			}
		}
	}
	return parks
}

// land takes the oldest message of an id back from its consumer.
func (g *Group) land(c *Consumer, id [16]byte) Message {
	f := c.flying[id][0]
	if c.flying[id] = c.flying[id][1:]; len(c.flying[id]) == 0 {
		delete(c.flying, id)
	}
	for i := range c.outbox { // not sent yet: it must not go out after all
		if c.outbox[i].ID == id && c.outbox[i].At == f.At {
			c.outbox = append(c.outbox[:i:i], c.outbox[i+1:]...)
			break
		}
	}
	c.count--
	g.flying--
	g.assign.landed(c, &f.Message)
	return f.Message
}

func (c *Consumer) room() int { return c.capacity - c.count }

func (c *Consumer) take(m Message, deadline time.Time) {
	c.flying[m.ID] = append(c.flying[m.ID], flight{m, deadline})
	c.outbox = append(c.outbox, m)
	c.count++
	c.total++
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Wake tells that Take has something.
func (c *Consumer) Wake() <-chan struct{} { return c.wake }

// Take empties what is to be sent to the consumer.
func (c *Consumer) Take() []Message {
	out := c.outbox
	c.outbox = nil
	return out
}

func (c *Consumer) each(visit func(*Message)) {
	for _, flights := range c.flying {
		for i := range flights {
			visit(&flights[i].Message)
		}
	}
}
