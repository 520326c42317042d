package esdb_test

// This file of Folio's takes the place of the one that starts Docker containers: it asks
// the conformance run for nodes instead.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/goombaio/namegenerator"
)

var NAME_GENERATOR = namegenerator.NewNameGenerator(0)

type Container struct{ Endpoint string }

func ask(path string, query url.Values) (string, error) {
	resp, err := http.Get(os.Getenv("FOLIO_CONFORMANCE") + path + "?" + query.Encode())
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = errors.New(string(body))
	}
	return string(body), err
}

func (c *Container) Close() {
	if _, err := ask("/stop", url.Values{"at": {c.Endpoint}}); err != nil {
		panic(err)
	}
}

func GetEnvOrDefault(key, otherwise string) string {
	if value, ok := os.LookupEnv(key); ok {
		return value
	}
	return otherwise
}

func secure() bool { return os.Getenv("EVENTSTORE_INSECURE") == "false" }

func IsESDBVersion20() bool { return false }

func CreateEmptyDatabase(t *testing.T) (*Container, *esdb.Client) { return createDatabase(t, "false") }
func CreatePopulatedDatabase(t *testing.T) (*Container, *esdb.Client) {
	return createDatabase(t, "true")
}

func createDatabase(t *testing.T, populated string) (*Container, *esdb.Client) {
	t.Helper()
	at, err := ask("/start", url.Values{"populated": {populated}, "tls": {fmt.Sprint(secure())}})
	if err != nil {
		t.Fatal(err)
	}
	c := &Container{Endpoint: strings.TrimSpace(at)}
	client := GetClient(t, c)
	WaitForAdminToBeAvailable(t, client)
	WaitForLeaderToBeElected(t, client)
	return c, client
}

func GetClient(t *testing.T, c *Container) *esdb.Client {
	t.Helper()
	if secure() {
		return CreateClient(fmt.Sprintf("esdb://admin:changeit@%s?tlsverifycert=false&tls=true", c.Endpoint), t)
	}
	return CreateClient(fmt.Sprintf("esdb://%s?tls=false", c.Endpoint), t)
}

func CreateClient(connection string, t *testing.T) *esdb.Client {
	t.Helper()
	config, err := esdb.ParseConnectionString(connection)
	if err != nil {
		t.Fatal(err)
	}
	client, err := esdb.NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// A node is ready when it has been started, so these two fail at once if it is not.
func WaitForAdminToBeAvailable(t *testing.T, db *esdb.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	stream, err := db.ReadStream(ctx, "$users", esdb.ReadStreamOptions{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	if _, err := stream.Recv(); err != nil {
		t.Fatalf("$users: %v", err)
	}
}

func WaitForLeaderToBeElected(t *testing.T, db *esdb.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := db.CreatePersistentSubscription(ctx, NAME_GENERATOR.Generate(), "group", esdb.PersistentStreamSubscriptionOptions{}); err != nil {
		t.Fatal(err)
	}
}
