// Package arch holds the rules of the house as tests: who may import whom, which
// packages are pure, how large a file and a function may be, and what the documents must name.
package arch
