// Package rapidseed gives every property test the same cases in every run, so that a test that passes here passes
// everywhere. A package with such tests imports it for its effect. Other cases are drawn by naming another seed:
//
//	go test ./country/ar -rapid.seed=7
//	go test ./country/ar -rapid.seed=0    # at random
package rapidseed

import (
	"flag"

	_ "pgregory.net/rapid" // has the flags
)

func init() {
	for name, value := range map[string]string{"rapid.seed": "20261129", "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
}
