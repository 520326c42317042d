// Command verify-export holds an export of Folio's against the log's verifier key. It is package audit and nothing else
// of Folio: go run ./audit/verify-export FILE.zip KEY, where KEY may be the file that holds it.
package main

import (
	"fmt"
	"os"

	"folio/audit"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: verify-export FILE.zip KEY")
		os.Exit(2)
	}
	key, err := audit.ReadKey(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "verify-export:", err)
		os.Exit(1)
	}
	r, err := audit.VerifyFile(os.Args[1], key)
	if err != nil {
		fmt.Fprintln(os.Stderr, "verify-export:", err)
		os.Exit(1)
	}
	fmt.Println(r)
}
