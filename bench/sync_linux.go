package main

import (
	"os"

	"golang.org/x/sys/unix"
)

const syncMode = "fdatasync"

func datasync(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }
