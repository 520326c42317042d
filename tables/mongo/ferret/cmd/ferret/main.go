// Command ferret runs FerretDB until it is interrupted and prints its mongodb://
// address, for end-to-end tests of folio with --mongo.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"folio/tables/mongo/ferret"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "ferret:", err)
		os.Exit(1)
	}
}

// run keeps the data in the folder given, or in one that goes with the process, and listens
// on the address given after it, or on a free port of loopback.
func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	folder, listen := "", "127.0.0.1:0"
	if len(os.Args) > 2 {
		listen = os.Args[2]
	}
	if len(os.Args) > 1 {
		folder = os.Args[1]
	} else {
		var err error
		if folder, err = os.MkdirTemp("", "ferret"); err != nil {
			return err
		}
		defer os.RemoveAll(folder)
	}
	address, stopped, err := ferret.Start(ctx, folder, listen)
	if err != nil {
		return err
	}
	fmt.Println(address)
	<-stopped
	return nil
}
