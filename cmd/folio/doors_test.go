package main

import (
	"strings"
	"testing"
)

// TestAnAddressThatIsTakenNamesItsOwnFlag: the process has two addresses.
func TestAnAddressThatIsTakenNamesItsOwnFlag(t *testing.T) {
	t.Parallel()
	l, address, err := listenAt(t.Context(), "--addr", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, _, err = listenAt(t.Context(), "--admin-addr", strings.TrimPrefix(address, "http://"))
	if err == nil || !strings.HasSuffix(err.Error(), "choose another address with --admin-addr") {
		t.Errorf("the address again: %v", err)
	}
}
