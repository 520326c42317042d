package mongodb

import (
	"context"
	"errors"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/mongo"

	"folio/fault"
)

func TestTheAddressNamesTheDatabaseAsTheDriverReadsIt(t *testing.T) {
	for address, want := range map[string]string{
		"mongodb://localhost":                             "folio",
		"mongodb://localhost/":                            "folio",
		"mongodb://localhost/prod":                        "prod",
		"mongodb://a:1,b:2,c:3/prod?replicaSet=rs":        "prod",
		"mongodb://u:p%40%2F%23%3A@a:1,b:2/prod?w=1":      "prod",
		"mongodb://localhost/?readPreference=primary":     "folio",
		"mongodb://u:p@[::1]:27017/prod?authSource=admin": "prod",
	} {
		if got, err := Parse(address); err != nil || got.Database != want {
			t.Errorf("%s: %q, %v; want %q", address, got.Database, err, want)
		}
	}
}

func TestAnAddressAtFaultIsExplainedAndNotRepeated(t *testing.T) {
	for address, says := range map[string]string{
		"foo":                       "mongodb://",
		"postgres://u:geheim@h/x":   "mongodb://",
		"mongodb://u:geheim/1@h/x":  "percent-encoded",
		"mongodb://u:geheim%zz@h/x": "percent-encoded",
		"mongodb://u:geheim@h/x?readPreference=secondaryPreferred": "primary",
		"mongodb://u:geheim@h/x?tls=true&tlsCAFile=/no/such.pem":   "/no/such.pem",
		"mongodb://u:geheim@h/x?w=-3":                              "cannot be used",
	} {
		_, err := Connect(context.Background(), address, "test")
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%s: %v; want it to say %q", address, err, says)
		}
	}
}

func TestWhatPassesIsUnavailableAndWhatDoesNotIsNot(t *testing.T) {
	command := func(code int32) error { return mongo.CommandError{Code: code, Message: "x"} }
	for _, c := range []struct {
		name string
		err  error
		want bool
	}{
		{"nothing", nil, false},
		{"no document", mongo.ErrNoDocuments, false},
		{"a duplicate key", mongo.WriteException{WriteErrors: []mongo.WriteError{{Code: 11000}}}, false},
		{"a duplicate key that no majority has", mongo.WriteException{WriteErrors: []mongo.WriteError{{Code: 11000}},
			WriteConcernError: &mongo.WriteConcernError{Code: 64}}, true},
		{"a wrong command", command(59), false},
		{"a document that is too large", command(10334), false},
		{"not the primary any more", command(10107), true},
		{"a server that shuts down", command(11600), true},
		{"the password was changed", command(18), true},
		{"the disk is full", command(14031), true},
		{"the deadline", context.DeadlineExceeded, true},
		{"what nobody knows", errors.New("connection pool cleared"), true},
	} {
		if got := Explain(c.err); errors.Is(got, fault.StoreUnavailable) != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
