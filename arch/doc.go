// Package arch holds the rules of the house as tests: who may import whom, which
// packages are pure, and how large a file and a function may be.
package arch
