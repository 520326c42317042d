package strict

import (
	"fmt"

	"folio/fault"
)

// The codes of the violations that the readers of this package report.
const (
	CodeRequired     = "REQUIRED"          // missing, or empty where a value is needed
	CodeNotNull      = "NOT_NULL"          // null where a value is needed
	CodeWrongType    = "WRONG_TYPE"        // a string where a number is needed, ...
	CodeUnknown      = "UNKNOWN_FIELD"     // a member, part or parameter that does not exist
	CodeReadOnly     = "READ_ONLY"         // set by the service, not by the caller
	CodeRepeated     = "REPEATED"          // a part or parameter given twice
	CodeTooLong      = "TOO_LONG"          // more characters than allowed
	CodeControl      = "CONTROL_CHARACTER" // a character that cannot be printed
	CodeNotAllowed   = "NOT_ALLOWED"       // not one of the listed values
	CodeDate         = "NOT_A_DATE"        // not YYYY-MM-DD of the calendar
	CodeDateTime     = "NOT_A_DATE_TIME"   // not YYYY-MM-DD HH:MM:SS of the calendar
	CodeInteger      = "NOT_AN_INTEGER"    // has decimals
	CodeOutOfRange   = "OUT_OF_RANGE"      // below or above the bounds
	CodeDigits       = "TOO_MANY_DIGITS"   // more whole digits than an amount may have
	CodeDecimals     = "TOO_MANY_DECIMALS" // more decimals than the field keeps
	CodeBeforeFrom   = "BEFORE_FROM"       // a range that ends before it begins
	CodeTooManyItems = "TOO_MANY_ITEMS"    // longer than the array may be
	CodeTooFewItems  = "TOO_FEW_ITEMS"     // shorter than the array must be
	CodeDuplicate    = "DUPLICATE_MEMBER"  // one name twice in a JSON object (400)
	CodeEncoding     = "INVALID_ENCODING"  // a parameter that is not UTF-8 or not percent-encoded
	CodeFileExpected = "FILE_EXPECTED"     // a form part without a file
	CodeTextExpected = "TEXT_EXPECTED"     // a form part with a file where text is needed
	CodeFormat       = "INVALID_FORMAT"    // any other form that is not kept
)

// maxViolations bounds an answer: 1,000 items may be wrong in 1,000 ways each.
const maxViolations = 1000

// violations collects what is wrong with one request.
type violations struct {
	list  []fault.Violation
	total int
}

// full says whether further violations are only counted.
func (v *violations) full() bool { return len(v.list) >= maxViolations }

func (v *violations) add(path, code, message string) {
	v.total++
	if !v.full() {
		v.list = append(v.list, fault.Violation{Path: path, Code: code, Message: message})
	}
}

// err is nil when nothing is wrong.
func (v *violations) err() error {
	err := fault.Violated(v.list)
	if f := fault.As(err); f != nil && v.total > len(v.list) {
		f.Text = fmt.Sprintf("The request has %d faults; errors lists the first %d.", v.total, len(v.list))
	}
	return err
}
