//go:build long

package bus_test

// exhaustive has Watermill's suite run with all its messages.
const exhaustive = true
