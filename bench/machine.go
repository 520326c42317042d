package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
)

// printMachine says what the figures were measured on.
func printMachine(b *bench) {
	fmt.Fprintf(b.table.out, "Folio, measured on %s; %d CPUs; Linux %s; %s; load %s\n", model(), runtime.NumCPU(),
		kernel(),
		runtime.Version(), load())
	fmt.Fprintf(b.table.out, "Log: SQLite WAL, synchronous=FULL, %s for every commit on %s; read models: SQLite WAL, "+
		"synchronous=NORMAL.\n", syncMode, filesystem(b.dir))
	fmt.Fprintf(b.table.out, "%d rounds of %s, contestants in an order drawn anew each round; figures are medians, "+
		"ratios are taken "+
		"within a round.\n", b.rounds, b.slice)
	fmt.Fprintln(b.table.out, "cpu per op is the processor time of the process under test (not of the load): compare "+
		"it when the "+
		"load is high.")
	if b.quick {
		fmt.Fprintln(b.table.out, "QUICK: too short for claims.")
	}
}

func model() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

func firstLine(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "?"
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}

func kernel() string { return firstLine("/proc/sys/kernel/osrelease") }

// load is the load average of 1, 5 and 15 minutes.
func load() string {
	fields := strings.Fields(firstLine("/proc/loadavg"))
	return strings.Join(fields[:min(3, len(fields))], " ")
}

// filesystem names what a folder is on: figures on tmpfs say nothing about a disk.
func filesystem(dir string) string {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return "?"
	}
	kinds := map[uint32]string{0xef53: "ext4", 0x58465342: "xfs", 0x9123683e: "btrfs", 0x01021994: "TMPFS (no disk!)",
		0x794c7630: "overlayfs"}
	if name, ok := kinds[uint32(s.Type)]; ok {
		return name
	}
	return fmt.Sprintf("file system %#x", uint32(s.Type))
}
