package httpapi

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// noSYN drops the packets that begin a connection; offset 0 is TCP's header (socket(7), SO_ATTACH_FILTER).
var noSYN = []unix.SockFilter{
	{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: 13}, // the flags
	{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jt: 0, Jf: 1, K: 0x02},
	{Code: unix.BPF_RET | unix.BPF_K, K: 0},
	{Code: unix.BPF_RET | unix.BPF_K, K: 0xffffffff},
}

// shut has the kernel begin no more connections on l. Count is how many wait to be accepted.
func shut(l net.Listener) (count func() int, ok bool) {
	c, is := l.(syscall.Conn)
	if !is {
		return nil, false
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return nil, false
	}
	filter := &unix.SockFprog{Len: uint16(len(noSYN)), Filter: &noSYN[0]}
	var failed error
	err = raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, filter)
	})
	if err != nil || failed != nil {
		return nil, false
	}
	return func() (waiting int) {
		_ = raw.Control(func(fd uintptr) { // a listener that was closed has nobody in line
			if info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO); err == nil {
				waiting = int(info.Unacked) // of a socket that listens: its line
			}
		})
		return waiting
	}, true
}
