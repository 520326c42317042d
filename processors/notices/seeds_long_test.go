//go:build long

package notices_test

const modelSeeds = 100
