// Package desk is what the sandboxes have beside their protocols: faults that are
// scripted or marked in a document, the calls that were received, and the
// administration with its pages, which answers to this machine only (docs/sandbox.md).
package desk
