// Package arch holds the rules of the house as tests: who may import whom, which
// packages are pure, how large a file and a function may be, what the documents must name and where their
// lines end.
package arch
