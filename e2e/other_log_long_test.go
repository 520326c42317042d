//go:build long

package e2e

import "testing"

func TestWorklistsOfAnotherLogInMongoDB(t *testing.T) {
	worklistsOfAnotherLog(t, "--mongo", mongoServer(t))
}

func TestAnOlderLogUnderNewerWorklistsInMongoDB(t *testing.T) { olderLog(t, "--mongo", mongoServer(t)) }
