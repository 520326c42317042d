// Package httpapi is the HTTP layer that writeapi and readapi share: the router
// with request ids, authentication and rate limits, strict reading of JSON, forms
// and query parameters, and answers including problem documents.
//
// A handler is a Handler: it returns its error, and Fail turns that into an
// RFC 9457 problem. Readers (Object, Form, Query) collect every violation with its
// path and report them together; no message ever repeats a value that was sent, so
// no secret can come back in an error.
package httpapi
