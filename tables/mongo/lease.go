package mongo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/mongo"

	"folio/tables"
)

// held is a document of the leases collection. Until is in the server's time.
type held struct {
	Name  string `bson:"_id"`
	Owner string `bson:"owner"`
	Token int64  `bson:"token"`
	Until int64  `bson:"until"` // microseconds
}

// clock is the server's time beside the owner's own, read just before.
type clock struct{ own, server time.Time }

func (s *Store) clock(ctx context.Context) (clock, error) {
	own := time.Now()
	var hello struct {
		LocalTime time.Time `bson:"localTime"`
	}
	if err := s.db.Run(ctx, bson.D{{Key: "hello", Value: 1}}, &hello); err != nil {
		return clock{}, err
	}
	if hello.LocalTime.IsZero() {
		return clock{}, errors.New("the server does not tell its time")
	}
	return clock{own, hello.LocalTime}, nil
}

// grant tells the end of a lease by the owner's clock.
func (c clock) grant(h held) tables.Grant {
	return tables.Grant{Name: h.Name, Owner: h.Owner, Token: h.Token,
		Until: c.own.Add(time.UnixMicro(h.Until).Sub(c.server))}
}

// take changes the lease if filter still holds, in one findAndModify; false if not.
func (s *Store) take(ctx context.Context, filter, set bson.D, token int64) (h held, ok bool, err error) {
	change := bson.D{{Key: "$set", Value: set}}
	if token > 0 {
		change = append(change, bson.E{Key: "$inc", Value: bson.D{{Key: "token", Value: token}}})
	}
	raw, err := s.db.Collection(leases).FindAndUpdate(ctx, filter, change)
	if errors.Is(err, mongo.ErrNoDocuments) {
		return h, false, nil
	}
	if err == nil {
		err = bson.Unmarshal(raw, &h)
	}
	return h, err == nil, err
}

// Acquire implements tables.Leases.
func (s *Store) Acquire(ctx context.Context, name, owner string, ttl time.Duration) (tables.Grant, bool, error) {
	if err := tables.CheckLease(name, owner, ttl); err != nil {
		return tables.Grant{}, false, err
	}
	g, ok, err := s.acquire(ctx, name, owner, ttl)
	if err != nil {
		return tables.Grant{}, false, fmt.Errorf("acquire lease %.60s: %w", name, err)
	}
	return g, ok, nil
}

// acquire tries in turn: extend an own lease, take an expired one, make the first.
func (s *Store) acquire(ctx context.Context, name, owner string,
	ttl time.Duration) (g tables.Grant, ok bool, err error) {
	c, err := s.clock(ctx)
	if err != nil {
		return g, false, err
	}
	now, until := c.server.UnixMicro(), c.server.Add(ttl).UnixMicro()
	h, ok, err := s.take(ctx, bson.D{{Key: "_id", Value: name}, {Key: "owner", Value: owner},
		{Key: "until", Value: bson.D{{Key: "$gt", Value: now}}}}, bson.D{{Key: "until", Value: until}}, 0)
	if ok || err != nil {
		return c.grant(h), ok, err
	}
	h, ok, err = s.take(ctx, bson.D{{Key: "_id", Value: name}, {Key: "until", Value: bson.D{{Key: "$lte", Value: now}}}},
		bson.D{{Key: "owner", Value: owner}, {Key: "until", Value: until}}, 1)
	if ok || err != nil {
		return c.grant(h), ok, err
	}
	h = held{name, owner, 1, until}
	if err = s.db.Collection(leases).Insert(ctx, h); err == nil {
		return c.grant(h), true, nil
	} else if !mongo.IsDuplicateKeyError(err) {
		return g, false, err
	}
	raw, err := s.db.Collection(leases).FindOne(ctx, bson.D{{Key: "_id", Value: name}})
	if err == nil {
		err = bson.Unmarshal(raw, &h)
	}
	return c.grant(h), false, err
}

// Renew implements tables.Leases.
func (s *Store) Renew(ctx context.Context, g tables.Grant, ttl time.Duration) (tables.Grant, bool, error) {
	if err := tables.CheckLease(g.Name, g.Owner, ttl); err != nil {
		return tables.Grant{}, false, err
	}
	c, err := s.clock(ctx)
	if err != nil {
		return tables.Grant{}, false, fmt.Errorf("renew lease %.60s: %w", g.Name, err)
	}
	h, ok, err := s.take(ctx, append(ours(g),
		bson.E{Key: "until", Value: bson.D{{Key: "$gt", Value: c.server.UnixMicro()}}}),
		bson.D{{Key: "until", Value: c.server.Add(ttl).UnixMicro()}}, 0)
	if err != nil {
		return tables.Grant{}, false, fmt.Errorf("renew lease %.60s: %w", g.Name, err)
	}
	if !ok {
		return tables.Grant{}, false, nil
	}
	return c.grant(h), true, nil
}

// ours is the filter of a lease that g still holds.
func ours(g tables.Grant) bson.D {
	return bson.D{{Key: "_id", Value: g.Name}, {Key: "owner", Value: g.Owner}, {Key: "token", Value: g.Token}}
}

// Release implements tables.Leases. The token stays, so that the next one is higher.
func (s *Store) Release(ctx context.Context, g tables.Grant) error {
	_, _, err := s.take(ctx, ours(g), bson.D{{Key: "until", Value: int64(0)}}, 0)
	if err != nil {
		return fmt.Errorf("release lease %.60s: %w", g.Name, err)
	}
	return nil
}

// holds refuses a batch whose lease went to a newer owner.
func (s *Store) holds(ctx context.Context, g tables.Grant) error {
	n, err := s.db.Collection(leases).Count(ctx, ours(g))
	if err == nil && n == 0 {
		err = fmt.Errorf("lease %.60s, token %d: %w", g.Name, g.Token, tables.ErrLeaseLost)
	}
	return err
}
