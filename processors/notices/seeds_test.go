//go:build !long

package notices_test

// modelSeeds is how many worlds the model tries.
const modelSeeds = 4
