package mongodb

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"go.mongodb.org/mongo-driver/x/mongo/driver/connstring"
)

// Address is what an address says beside where the server is.
type Address struct {
	// Database is the one that it names, mongodb://HOST/DATABASE; folio without one.
	Database string
}

// Parse reads an address, mongodb:// or mongodb+srv:// with any number of hosts, as the
// driver does. An address that reads from anywhere but the primary is refused: a secondary
// shows leases and read models as they were. Errors say what is wrong and never repeat the
// address, which holds a password.
func Parse(address string) (Address, error) {
	c, err := connstring.ParseAndValidate(address)
	if err != nil {
		return Address{}, explain(address, err)
	}
	if c.ReadPreference != "" && !strings.EqualFold(c.ReadPreference, "primary") {
		return Address{}, fmt.Errorf("the MongoDB address asks for readPreference=%.30s: leave it out, Folio reads from the "+
			"primary only, since a secondary shows leases and read models as they were", c.ReadPreference)
	}
	if c.Database == "" {
		return Address{"folio"}, nil
	}
	return Address{c.Database}, nil
}

// explain says what is wrong with an address.
func explain(address string, err error) error {
	var file *fs.PathError
	if errors.As(err, &file) {
		return fmt.Errorf("the MongoDB address names a file that cannot be read: %w", file)
	}
	rest, ok := strings.CutPrefix(address, "mongodb://")
	if !ok {
		rest, ok = strings.CutPrefix(address, "mongodb+srv://")
	}
	if !ok {
		return errors.New("the MongoDB address must begin with mongodb:// or mongodb+srv://")
	}
	password, found := secret(rest)
	if !found {
		return errors.New("the MongoDB address cannot be read: user and password come before the last @, and special " +
			"characters in them must be percent-encoded (/ is %2F, @ is %40, : is %3A, # is %23, ? is %3F, % is %25)")
	}
	text := err.Error()
	if password != "" && strings.Contains(text, password) {
		text = "it is not of the form mongodb://user:password@host:port/database?option=value"
	}
	return fmt.Errorf("the MongoDB address cannot be used: %s", text)
}

// secret is the password before the @; not found when it is not encoded as it must be.
func secret(rest string) (password string, found bool) {
	at := strings.LastIndex(rest, "@")
	if at < 0 {
		return "", true
	}
	user, password, _ := strings.Cut(rest[:at], ":")
	for _, part := range []string{user, password} {
		if _, err := url.PathUnescape(part); err != nil || strings.ContainsAny(part, ":/?#[]@ ") {
			return "", false
		}
	}
	return password, true
}
