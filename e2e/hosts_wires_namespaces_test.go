//go:build long && hosts && linux

package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// wires are hosts, each in a network namespace of its own, and the switch between them. Each has one link, a TUN device
// whose packets the test passes on, later, or not at all: so links are cut and delayed without netem, which few kernels
// of test machines have.
type wires struct {
	t   *testing.T
	net string // first three bytes of the addresses, of the net of RFC 2544 for tests of devices

	mu    sync.Mutex
	links map[byte]*link // by the last byte of the address
	paths map[[2]byte]chan packet
}

// link is the way of one host to the switch.
type link struct {
	device *os.File
	space  string // network namespace; "" is the test's own
	cut    bool
	delay  time.Duration // of each packet, in each direction
}

type packet struct {
	due     time.Time
	content []byte
}

// outside is the test itself, and with it callers, receivers and authorities.
const outside byte = 254

// newWires joins hosts with these last bytes of addresses, and the test. It fails where the machine does not permit it,
// rather than to be silent about hosts that nobody tried.
func newWires(t *testing.T, hosts ...byte) *wires {
	t.Helper()
	sweep(t)
	w := &wires{t: t, net: fmt.Sprintf("198.18.%d.", os.Getpid()%256), links: map[byte]*link{},
		paths: map[[2]byte]chan packet{}}
	for _, host := range append(hosts, outside) {
		if err := w.join(host); err != nil {
			t.Fatalf("this test needs root, iproute2, network namespaces and /dev/net/tun: %v", err)
		}
	}
	return w
}

// sweep removes the namespaces of runs that were killed.
func sweep(t *testing.T) {
	t.Helper()
	out, err := exec.Command("ip", "netns", "list").Output()
	if err != nil {
		t.Fatalf("list network namespaces, with iproute2: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		var pid, host int
		if n, _ := fmt.Sscanf(line, "fo%d-%d", &pid, &host); n != 2 {
			continue
		}
		if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); errors.Is(err, os.ErrNotExist) {
			if err := ip("netns", "delete", fmt.Sprintf("fo%d-%d", pid, host)); err != nil {
				t.Error(err)
			}
		}
	}
}

// address of a host, with a port.
func (w *wires) address(host byte, port int) string { return fmt.Sprintf("%s%d:%d", w.net, host, port) }

func (w *wires) join(host byte) error {
	l := &link{}
	name := fmt.Sprintf("fo%d-%d", os.Getpid(), host)
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open /dev/net/tun: %w", err)
	}
	request, err := unix.NewIfreq(name)
	if err == nil {
		request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = unix.IoctlIfreq(fd, unix.TUNSETIFF, request)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("make a TUN device: %w", err), unix.Close(fd))
	}
	l.device = os.NewFile(uintptr(fd), name)
	w.t.Cleanup(func() { _ = l.device.Close() })
	in := []string{}
	if host != outside {
		l.space = name
		if err := ip("netns", "add", name); err != nil {
			return err
		}
		w.t.Cleanup(func() {
			if err := ip("netns", "delete", name); err != nil {
				w.t.Error(err)
			}
		})
		if err := errors.Join(ip("link", "set", name, "netns", name), ip("-n", name, "link", "set", "lo", "up")); err != nil {
			return err
		}
		in = []string{"-n", name}
	}
	if err := errors.Join(ip(append(in, "addr", "add", fmt.Sprintf("%s%d/24", w.net, host), "dev", name)...),
		ip(append(in, "link", "set", name, "up")...)); err != nil {
		return err
	}
	w.mu.Lock()
	w.links[host] = l
	w.mu.Unlock()
	go w.read(host, l)
	return nil
}

func ip(args ...string) error {
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %v: %w: %s", args, err, out)
	}
	return nil
}

// read takes what a host sends, until its device is closed.
func (w *wires) read(host byte, l *link) {
	for buffer := make([]byte, 64<<10); ; {
		n, err := l.device.Read(buffer)
		if err != nil {
			return
		}
		if n < 20 || buffer[0]>>4 != 4 { // no IPv4: a host looks for routers
			continue
		}
		w.pass(host, buffer[19], append([]byte{}, buffer[:n]...))
	}
}

// pass has a packet arrive when it is due. One that is sent over a link that is cut is lost, like one too many.
func (w *wires) pass(from, to byte, content []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, b := w.links[from], w.links[to]
	if b == nil || a.cut || b.cut {
		return
	}
	path := w.paths[[2]byte{from, to}]
	if path == nil {
		path = make(chan packet, 4096)
		w.paths[[2]byte{from, to}] = path
		go w.deliver(path, a, b)
	}
	select {
	case path <- packet{time.Now().Add(a.delay + b.delay), content}:
	default:
	}
}

// deliver lets packets of one direction arrive in order, until the test ends.
func (w *wires) deliver(path chan packet, a, b *link) {
	for {
		select {
		case p := <-path:
			time.Sleep(time.Until(p.due)) // the delay of the link
			w.mu.Lock()
			lost := a.cut || b.cut
			w.mu.Unlock()
			if !lost {
				_, _ = b.device.Write(p.content) // a device that is closed loses it, as it would
			}
		case <-w.t.Context().Done():
			return
		}
	}
}

func (w *wires) set(host byte, change func(*link)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(w.links[host])
}

// cut pulls the cable of a host; delay makes each packet of it late; heal ends both.
func (w *wires) cut(host byte)                    { w.set(host, func(l *link) { l.cut = true }) }
func (w *wires) delay(host byte, d time.Duration) { w.set(host, func(l *link) { l.delay = d }) }
func (w *wires) heal(host byte)                   { w.set(host, func(l *link) { l.cut, l.delay = false, 0 }) }
