package country

import (
	"fmt"

	"folio/fault"
	"folio/money"
)

// Violations collects everything that is wrong with a document, in the order in
// which it was found. The zero value is ready.
type Violations struct{ All []fault.Violation }

// Add notes one violation; format and args make its message.
func (v *Violations) Add(path, code, format string, args ...any) {
	v.All = append(v.All, fault.Violation{Path: path, Code: code, Message: fmt.Sprintf(format, args...)})
}

// None says that nothing was found.
func (v *Violations) None() bool { return len(v.All) == 0 }

// Bounded says whether a has at most MaxWholeDigits before the point and MaxDecimals
// after it. Arithmetic on anything else may leave the digits of money.Decimal.
func Bounded(a money.Decimal) bool {
	return a.WholeDigits() <= MaxWholeDigits && a.Decimals() <= MaxDecimals
}

// BoundedProduct says whether both factors are bounded and their product surely has
// no more than MaxWholeDigits+1 digits before the point.
func BoundedProduct(a, b money.Decimal) bool {
	return Bounded(a) && Bounded(b) && a.WholeDigits()+b.WholeDigits() <= MaxWholeDigits+1
}
