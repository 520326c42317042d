package eventstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

// One attempt per session: this package decides when to try again, so that every
// failure is seen, waits are cut short by a context, and nothing polls after Close.
const discoverAttempts = 1

// embedded is what the client is given before its address becomes a socket.
const embedded = "esdb://localhost:2113?tls=false"

// settings are the client's keys. It would report others through the standard
// logger and go on, so they are refused here.
var settings = map[string]func(string) error{
	"tls":                 isBool,
	"tlsverifycert":       isBool,
	"tlscafile":           nil,
	"usercertfile":        nil,
	"userkeyfile":         nil,
	"nodepreference":      isPreference,
	"maxdiscoverattempts": isNumber(1),
	"discoveryinterval":   isNumber(1),
	"gossiptimeout":       isNumber(1),
	"keepaliveinterval":   isNumber(10_000),
	"keepalivetimeout":    isNumber(1),
	"defaultdeadline":     isNumber(1),
}

// configure turns an address into the client's configuration. Its errors quote nothing of the
// address: a password that was not escaped may stand in any part of it.
func configure(address string, logger *slog.Logger) (*esdb.Configuration, error) {
	socket := ""
	switch scheme, rest, _ := strings.Cut(address, ":"); scheme {
	case "unix", "unix-abstract":
		if strings.Trim(rest, "/") == "" {
			return nil, errors.New("address names no socket: expected unix:///path")
		}
		socket, address = address, embedded
	case "kurrentdb", "kurrentdb+discover":
		address = "esdb" + strings.TrimPrefix(address, "kurrentdb")
	case "esdb", "esdb+discover":
	default:
		return nil, errors.New("address must start with esdb://, esdb+discover://, kurrentdb:// or unix:///")
	}
	config, err := parse(address)
	if err != nil {
		if unescaped(address) {
			err = errors.New("address: user and password seem to hold a #, / or ?: write them as %23, %2F and %3F (a @ as " +
				"%40, a : as %3A, a % as %25)")
		}
		return nil, err
	}
	if config.DisableTLS && config.Username != "" {
		return nil, errors.New("address: user and password are never sent without TLS: remove tls=false, or the credentials")
	}
	if socket != "" {
		config.Address = socket
	}
	config.MaxDiscoverAttempts = discoverAttempts
	config.Logger = chatter(logger)
	return config, nil
}

// unescaped says that the part with user and password seems to end too early, at a character
// of the password.
func unescaped(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	end := strings.IndexAny(rest, "/?#")
	return end >= 0 && strings.Contains(rest[end:], "@")
}

func parse(address string) (*esdb.Configuration, error) {
	if err := checkSettings(address); err != nil {
		return nil, err
	}
	config, err := esdb.ParseConnectionString(address)
	if err == nil {
		return config, nil
	}
	reason := "the part between :// and the question mark must be USER:PASSWORD@HOST:PORT, or HOST:PORT alone, several " +
		"hosts with commas between"
	switch text := err.Error(); {
	case strings.Contains(text, "file"):
		reason = "the file that tlsCAFile, userCertFile or userKeyFile names cannot be read as PEM"
	case strings.Contains(text, "path"):
		reason = "no path may follow the hosts"
	case strings.Contains(text, "port"):
		reason = "the port behind a host is not a number"
	}
	return nil, fmt.Errorf("address: %s", reason)
}

func checkSettings(address string) error {
	_, query, _ := strings.Cut(address, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("address: what follows the question mark must be settings NAME=VALUE with & between")
	}
	for key, given := range values {
		name := strings.ToLower(key)
		check, known := settings[name]
		if !known {
			return fmt.Errorf("address: unknown setting after the question mark: the known ones are %s",
				strings.Join(slices.Sorted(maps.Keys(settings)), ", "))
		}
		if len(given) > 1 {
			return fmt.Errorf("address: setting %s is given twice", name)
		}
		if check == nil {
			continue
		}
		if err := check(given[0]); err != nil {
			return fmt.Errorf("address: setting %s: %w", name, err)
		}
	}
	return nil
}

func isPreference(v string) error {
	if !slices.Contains([]string{"leader", "follower", "readonlyreplica", "random"}, strings.ToLower(v)) {
		return errors.New("the value is none of leader, follower, readOnlyReplica and random")
	}
	return nil
}

func isBool(v string) error {
	if _, err := strconv.ParseBool(strings.ToLower(v)); err != nil {
		return errors.New("the value is neither true nor false")
	}
	return nil
}

// isNumber accepts whole numbers from least on; -1 stays what the client makes of it.
func isNumber(least int) func(string) error {
	return func(v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || (n < least && n != -1) {
			return fmt.Errorf("the value is not a whole number of at least %d", least)
		}
		return nil
	}
}

// chatter sends the client's log lines to logger. All of them are debug lines:
// whatever matters among them also comes back as an error.
func chatter(logger *slog.Logger) esdb.LoggingFunc {
	return func(level esdb.LogLevel, format string, args ...any) {
		if !logger.Enabled(context.Background(), slog.LevelDebug) {
			return
		}
		logger.Debug("event log client", "level", level, "message", fmt.Sprintf(format, args...))
	}
}
