package eventstore

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
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
	"nodepreference":      nil,
	"maxdiscoverattempts": isNumber(1),
	"discoveryinterval":   isNumber(1),
	"gossiptimeout":       isNumber(1),
	"keepaliveinterval":   isNumber(10_000),
	"keepalivetimeout":    isNumber(1),
	"defaultdeadline":     isNumber(1),
}

// configure turns an address into the client's configuration.
func configure(address string, logger *slog.Logger) (*esdb.Configuration, error) {
	socket := ""
	switch scheme, rest, _ := strings.Cut(address, ":"); scheme {
	case "unix", "unix-abstract":
		if strings.Trim(rest, "/") == "" {
			return nil, fmt.Errorf("address %q names no socket: expected unix:///path", address)
		}
		socket, address = address, embedded
	case "kurrentdb", "kurrentdb+discover":
		address = "esdb" + strings.TrimPrefix(address, "kurrentdb")
	case "esdb", "esdb+discover":
	default:
		return nil, errors.New("address must start with esdb://, esdb+discover://, kurrentdb:// or unix:///")
	}
	if err := checkSettings(address); err != nil {
		return nil, err
	}
	config, err := esdb.ParseConnectionString(address)
	if err != nil {
		// A url.Error quotes the whole string, password included.
		var quoted *url.Error
		if errors.As(err, &quoted) {
			err = quoted.Err
		}
		return nil, fmt.Errorf("address: %w", err)
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

func checkSettings(address string) error {
	_, query, _ := strings.Cut(address, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return fmt.Errorf("address: settings after the question mark: %w", err)
	}
	for key, given := range values {
		check, known := settings[strings.ToLower(key)]
		if !known {
			return fmt.Errorf("address: unknown setting %q", key)
		}
		if len(given) > 1 {
			return fmt.Errorf("address: setting %q is given twice", key)
		}
		if check == nil {
			continue
		}
		if err := check(given[0]); err != nil {
			return fmt.Errorf("address: setting %q: %w", key, err)
		}
	}
	return nil
}

func isBool(v string) error {
	if _, err := strconv.ParseBool(strings.ToLower(v)); err != nil {
		return fmt.Errorf("%q is neither true nor false", v)
	}
	return nil
}

// isNumber accepts whole numbers from least on; -1 stays what the client makes of it.
func isNumber(least int) func(string) error {
	return func(v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || (n < least && n != -1) {
			return fmt.Errorf("%q is not a whole number of at least %d", v, least)
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
