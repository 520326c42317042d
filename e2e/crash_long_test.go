//go:build long

package e2e

import (
	"os"
	"strconv"
	"testing"
	"time"
)

func TestTwelveKillsUnderLoad(t *testing.T) {
	seed := time.Now().UnixNano()
	if given, err := strconv.ParseInt(os.Getenv("FOLIO_E2E_SEED"), 10, 64); err == nil {
		seed = given // to repeat a run
	}
	crash(t, 12, seed)
}
