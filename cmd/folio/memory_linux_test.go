package main

import (
	"slices"
	"testing"
)

const smapsOfAProgram = `00400000-01c1a000 r-xp 00000000 fd:00 131 /opt/folio
Rss:               21480 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
01c1a000-036b5000 r--p 0181a000 fd:00 131 /opt/folio
Anonymous:             0 kB
036b5000-036f5000 r--p 032b5000 fd:00 131 /opt/folio
Anonymous:           256 kB
036f5000-03ab5000 rw-p 032f5000 fd:00 131 /opt/folio
Anonymous:             0 kB
03ab5000-05b0f000 rw-p 00000000 00:00 0
Anonymous:             0 kB
7fdaf8020000-7fdaf8160000 r--p 00000000 fd:00 7 /lib/libc.so.6
Anonymous:             0 kB
`

// What was written holds what the file does not, and is kept.
func TestOnlyPagesThatWereNeverWrittenAreDropped(t *testing.T) {
	want := []pages{{0x400000, 0x1c1a000}, {0x1c1a000, 0x36b5000}}
	if got := unwritten([]byte(smapsOfAProgram), "/opt/folio"); !slices.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
	if got := unwritten([]byte(smapsOfAProgram), "/opt/other"); got != nil {
		t.Errorf("of another file: %x", got)
	}
}
