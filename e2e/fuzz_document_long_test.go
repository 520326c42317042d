//go:build long

package e2e

import "testing"

func TestTwentyThousandCallsOfTheDocument(t *testing.T) { fuzzDocument(t, 20_000) }
