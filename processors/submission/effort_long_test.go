//go:build long

package submission_test

var sides = []bool{false, true}
