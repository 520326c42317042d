//go:build !linux

package main

import "os"

const syncMode = "fsync"

func datasync(f *os.File) error { return f.Sync() }
