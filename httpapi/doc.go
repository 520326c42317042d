// Package httpapi is the HTTP layer that writeapi and readapi share: the router
// with request ids, authentication and rate limits, the limits of bodies, and answers
// including problem documents. What stands in a body, a form or a query is read by
// package strict.
//
// A handler is a Handler: it returns its error, and Fail turns that into an
// RFC 9457 problem.
package httpapi
