package strict

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"folio/fault"
)

// BodyFault words a body that could not be read to its end.
func BodyFault(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return BodyTooLarge(tooLarge.Limit)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.New(fault.Unparsable, "BODY_INCOMPLETE", "The body ended before its Content-Length or "+
			"its last chunk. Send it again.")
	}
	return fault.New(fault.Unparsable, "BODY_UNREADABLE", "The body could not be read to its end. Send it again.")
}

func BodyTooLarge(limit int64) *fault.Error {
	return fault.New(fault.TooLarge, "BODY_TOO_LARGE",
		fmt.Sprintf("The body is larger than the %d bytes that this endpoint takes.", limit))
}
