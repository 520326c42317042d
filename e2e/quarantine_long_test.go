//go:build long

package e2e

import (
	"fmt"
	"testing"
)

// TestManyVandals is TestAVandalCostsNobodyButItsVictim for many seeds.
func TestManyVandals(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint("seed ", 100+seed), func(t *testing.T) { vandalised(t, 100+seed) })
	}
}
