//go:build long

package e2e

import (
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// seedOf a run is the time, or the one that is to be repeated.
func seedOf() int64 {
	if given, err := strconv.ParseInt(os.Getenv("FOLIO_E2E_SEED"), 10, 64); err == nil {
		return given
	}
	return time.Now().UnixNano()
}

func TestTwelveKillsUnderLoad(t *testing.T) {
	crash(t, 12, seedOf(), nil)
}

// arcaTroubles are what may befall a call to ARCA that decides nothing about a document:
// the answer lost, cut or too late after everything was kept, and no service at all. The
// service waits one second for an answer.
var arcaTroubles = []map[string]any{
	{"operation": "FECAESolicitar", "effect": "lose"},
	{"operation": "FECAESolicitar", "effect": "truncate"},
	{"operation": "FECAESolicitar", "effect": "stall", "delay": "3s"},
	{"operation": "FECAESolicitar", "effect": "hang", "delay": "3s"},
	{"operation": "FECAESolicitar", "effect": "html"},
	{"operation": "FECAESolicitar", "effect": "http500"},
	{"operation": "FECompConsultar", "effect": "html"},
	{"operation": "FECompConsultar", "effect": "reset"},
	{"operation": "FECompUltimoAutorizado", "effect": "down"},
	{"operation": "FECompUltimoAutorizado", "effect": "hang", "delay": "3s"},
}

func TestTwelveKillsUnderLoadWithTroublesOfTheAuthority(t *testing.T) {
	argentina := nation{admin: "/admin/arca/faults"}
	crash(t, 12, seedOf(), func(dir string, random *rand.Rand) {
		for range 1 + random.IntN(4) {
			trouble := maps.Clone(arcaTroubles[random.IntN(len(arcaTroubles))])
			trouble["times"] = 1 + random.IntN(2)
			t.Logf("the authority: %v", trouble)
			argentina.script(t, dir, trouble)
		}
	}, "--authority-timeout", "1s")
}

func TestKilledAtEveryStepOfASubmission(t *testing.T) {
	eachNation(t, func(t *testing.T, n nation) {
		killed(t, n, func(int) bool { return true })
	})
}

// Answers are lost as well, and nothing is ever sent but what was stored.
func TestKilledAtEveryStepWithTroublesOfTheAuthority(t *testing.T) {
	eachNation(t, func(t *testing.T, n nation) {
		killed(t, n, func(int) bool { return true }, n.troubles...)
	})
}
