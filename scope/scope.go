// Package scope names what a credential may do: the one list that API keys and the roles of
// accounts share.
package scope

import "fmt"

// Set is a set of scopes. The zero value may nothing.
type Set uint8

// The scopes. None of them holds another one.
const (
	// Read looks at everything of a company that is no secret.
	Read Set = 1 << iota
	// Issue creates invoices, has waiting ones taken up, and takes suppliers' documents in.
	Issue
	// Manage changes the company: profile, branches, logo, certificates, numbering, webhooks.
	Manage
)

// All may everything.
const All = Read | Issue | Manage

// names are how scopes are written, in the order in which they are shown.
var names = []struct {
	scope Set
	name  string
}{{Read, "read"}, {Issue, "issue"}, {Manage, "manage"}}

// Names lists how the scopes of s are written.
func (s Set) Names() []string {
	out := []string{}
	for _, n := range names {
		if s.Has(n.scope) {
			out = append(out, n.name)
		}
	}
	return out
}

// Has says that s has all of needed.
func (s Set) Has(needed Set) bool { return s&needed == needed }

// Parse reads what Names wrote. An unknown name is an error with its place in the list.
func Parse(list []string) (Set, error) {
	var s Set
	for i, name := range list {
		one, ok := named(name)
		if !ok {
			return 0, &UnknownError{Index: i, Name: name}
		}
		s |= one
	}
	return s, nil
}

func named(name string) (Set, bool) {
	for _, n := range names {
		if n.name == name {
			return n.scope, true
		}
	}
	return 0, false
}

// UnknownError is a name that no scope has.
type UnknownError struct {
	Index int
	Name  string
}

// Error names those that there are.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("%.40q is no scope: use some of %v", e.Name, All.Names())
}

// Role is what an account is to a company.
type Role string

// The roles. An owner also makes keys and says who else may what.
const (
	Owner   Role = "owner"
	Issuer  Role = "issuer"
	Auditor Role = "auditor"
)

// Scopes are what the role may; none for what is no role.
func (r Role) Scopes() Set {
	switch r {
	case Owner:
		return All
	case Issuer:
		return Read | Issue
	case Auditor:
		return Read
	}
	return 0
}
