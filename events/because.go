package events

import "fmt"

// Because is a reason of the program's own that is recorded in a fact, with values filled in. Formats are constants:
// people who read Spanish find each of them by its English (apidoc).
func Because(format string, values ...any) string { return fmt.Sprintf(format, values...) }
