//go:build long

package contingency_test

const seeds = 100
