package apidoc

import (
	"strconv"

	"folio/fault"
	"folio/httpapi"
)

// Statuses are the HTTP statuses by kind of fault, Titles what they mean. Both are the
// router's own; internal is an error that is no fault.
var Statuses, Titles = func() (map[string]string, map[string]Text) {
	statuses, titles := map[string]string{}, map[string]Text{}
	for _, kind := range []fault.Code{fault.Unparsable, fault.Invalid, fault.Unauthorized, fault.Forbidden, fault.NotFound,
		fault.NoMethod, fault.Conflict, fault.TooLarge, fault.WrongType, fault.NoRange, fault.TooMany, fault.Unavailable, "internal"} {
		title, status := httpapi.Titled(kind)
		statuses[string(kind)] = strconv.Itoa(status)
		titles[strconv.Itoa(status)] = Text{title, httpapi.SpanishTitle(kind)}
	}
	return statuses, titles
}()
