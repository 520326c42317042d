package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// dropProgram lets go of the pages of the program file that are in memory. What runs is mapped again from the kernel's
// cache when it runs next; what only the start touched is not, and counts as memory of this process no longer. Where
// that cache lies in one piece the kernel maps 2 MiB at a time, so that a page that runs each second would bring all of
// its neighbours back: it is asked not to.
func dropProgram() {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, r := range unwritten(maps, program) {
		// Refused or not, the program is the same: these pages are what the file holds.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, r.from, r.to-r.from, syscall.MADV_NOHUGEPAGE)
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, r.from, r.to-r.from, syscall.MADV_DONTNEED)
	}
}

// pages is a part of the address space.
type pages struct{ from, to uintptr }

// unwritten are the parts of a process's memory, as /proc/PID/smaps lists them, that map a file, may not be written and
// never were: one that was relocated at the start holds what the file does not.
func unwritten(smaps []byte, file string) (out []pages) {
	var at pages
	ours := false
	for lines := bufio.NewScanner(bytes.NewReader(smaps)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) >= 5 && !strings.HasSuffix(fields[0], ":") {
			_, err := fmt.Sscanf(fields[0], "%x-%x", &at.from, &at.to)
			ours = err == nil && len(fields) == 6 && fields[5] == file && strings.HasPrefix(fields[1], "r-")
		} else if ours && fields[0] == "Anonymous:" && fields[1] == "0" {
			out = append(out, at)
		}
	}
	return out
}
