package fault_test

import (
	"errors"
	"strings"
	"testing"

	"folio/fault"
)

func TestNoErrorNamesAServer(t *testing.T) {
	for text, want := range map[string]string{
		"dial tcp [::1]:2113: connect: connection refused":                                                          "dial tcp: connect: connection refused",
		"write tcp 10.0.0.1:40112->db.internal:27017: broken pipe":                                                  "write tcp: broken pipe",
		"dial unix /data/db.internal: no such file":                                                                 "dial unix: no such file",
		"dial tcp: lookup db.internal on 10.0.0.2:53: no such host":                                                 "dial tcp: lookup: no such host",
		"connection(db.internal:27017[-4]) failed to write: EOF":                                                    "connection failed to write: EOF",
		"server at db.internal:27017 reports wire version 2":                                                        "server reports wire version 2",
		"nothing to hide: at 10:30":                                                                                 "nothing to hide: at 10:30",
		"Servers: [{ Addr: db.internal:27017, Type: Unknown, Last error: dial tcp 10.0.0.2:27017: i/o timeout }, ]": "Servers: [{ Type: Unknown, Last error: dial tcp: i/o timeout }, ]",
	} {
		cause := errors.New(text)
		err := fault.Unaddressed(cause)
		if err.Error() != want || strings.Contains(err.Error(), "db.internal") || !errors.Is(err, cause) {
			t.Errorf("%q\nis   %q\nwant %q", text, err, want)
		}
	}
	if fault.Unaddressed(nil) != nil {
		t.Error("nil became an error")
	}
}
