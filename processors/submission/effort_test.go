//go:build !long

package submission_test

// sides of a step on which a process is stopped. After one step is before the next
// unless steps overlap, so that one side goes through every point.
var sides = []bool{false}
