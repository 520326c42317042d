package access

import (
	"context"
	"fmt"
	"net/http"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/commands/accesslog"
	"folio/commands/company"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/scope"
)

// Members knows what accounts may in companies, and keeps what those read that may only read.
type Members struct {
	x         *commands.Executor
	companies commands.Aggregates[company.State, company.Command]
	lines     commands.Aggregates[accesslog.State, accesslog.Record]
	offline   Offline
}

// NewMembers asks the companies themselves.
func NewMembers(x *commands.Executor) *Members {
	return &Members{x: x, companies: commands.Bind(x, company.Decider), lines: commands.Bind(x, accesslog.Decider)}
}

// Offline lets members go on that only read while the log is away, in companies that this
// process knows. Auditors and keys that only read do not: what they read could not be kept.
func (m *Members) Offline(o Offline) *Members {
	m.offline = o
	return m
}

// MayIn is what the account may in the company by its role there.
func (m *Members) MayIn(ctx context.Context, account, id string) (scope.Set, error) {
	if _, err := ulid.ParseStrict(id); err != nil {
		return 0, nil // it would become a stream's name
	}
	s, found, err := m.companies.Cached(ctx, id)
	if err != nil && m.offline.admits(ctx, m.x, err) {
		if known, ok := m.companies.LastKnown(id); ok {
			s, found, err = known, true, nil
		}
	}
	if err != nil || !found {
		return 0, err
	}
	return s.Role(account).Scopes(), nil
}

// longest is how much of a path and of a query is kept. What is longer is not answered: who fills a query up could read
// what his line does not show.
const longest = 2000

var errTooLongToKeep = fault.New(fault.Invalid, "TOO_LONG_TO_KEEP", fmt.Sprintf("What an auditor, or a key that only "+
	"reads, asks for is kept whole, and the path or the query has more than %d bytes. Ask with fewer parameters.",
	longest))

// Saw records that an auditor, or a key that only reads, is about to be answered or refused. Without the log there is
// no answer.
func (m *Members) Saw(ctx context.Context, who httpapi.Principal, r *http.Request, refused string) error {
	id, err := ulid.ParseStrict(httpapi.RequestID(ctx))
	if err != nil {
		return err
	}
	tooLong := refused == "" && (len(r.URL.Path) > longest || len(r.URL.RawQuery) > longest)
	if tooLong {
		refused = errTooLongToKeep.Constant
	}
	at := httpapi.Started(ctx)
	read := events.CompanyRead{Company: who.Company, Account: who.Account, Key: who.KeyID, Method: r.Method,
		Path: shortened(r.URL.Path), Query: shortened(r.URL.RawQuery), Refused: refused}
	_, err = m.lines.Execute(ctx, accesslog.ID(who.Company, at), accesslog.Record{Read: read},
		commands.Request{ID: uuid.UUID(id), Correlation: id.String(), Actor: who.Actor(), At: at})
	if err == nil && tooLong {
		err = errTooLongToKeep
	}
	return err
}

func shortened(s string) string { return s[:min(len(s), longest)] }

var _ httpapi.Members = (*Members)(nil)
