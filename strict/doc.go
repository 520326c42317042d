// Package strict reads what a request brings: JSON bodies (Object), forms (Form) and
// query parameters (Query). A member, part or parameter that nobody asks for is a fault,
// as is a value of another type or beyond its rules. A reader collects every violation
// with its path and reports them together; no message repeats a value that was sent, so
// no secret can come back in an error.
package strict
