package outbound

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"time"
)

// dial is the transport's: it resolves, looks at each address, and connects to one that
// may be called. The receiver's time begins here, after the resolution.
func (c *Client) dial(ctx context.Context, _, address string) (net.Conn, error) {
	host, portText, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return nil, err
	}
	addresses, err := c.addresses(ctx, host, uint16(port))
	if err != nil {
		return nil, err
	}
	stopwatchOf(ctx).start()
	var errs []error
	share := Limit / time.Duration(len(addresses))
	for _, a := range addresses {
		conn, err := c.connect(ctx, netip.AddrPortFrom(a, uint16(port)), share)
		if err == nil {
			return conn, nil
		}
		errs = append(errs, err)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errors.Join(errs...)
}

// maxAddresses is how many of a name's addresses are tried.
const maxAddresses = 4

// addresses are those that may be called, of the source address's family if there is one.
func (c *Client) addresses(ctx context.Context, host string, port uint16) ([]netip.Addr, error) {
	ctx, cancel := context.WithTimeout(ctx, resolveLimit)
	defer cancel()
	all, err := c.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	_, named := netip.ParseAddr(host)
	var out []netip.Addr
	for _, a := range all {
		a = a.Unmap()
		// One bad address condemns the name.
		if err := c.admit(a, port); err != nil {
			if named != nil { // not an address: see unresolved
				return nil, &unresolved{err}
			}
			return nil, err
		}
		if c.o.Proxy != nil || !c.o.SourceIP.IsValid() || a.Is4() == c.o.SourceIP.Unmap().Is4() {
			out = append(out, a)
		}
	}
	if len(out) > 0 {
		return out[:min(len(out), maxAddresses)], nil
	}
	return nil, fmt.Errorf("the host has no address of the family of the source address %s", c.o.SourceIP)
}

func (c *Client) connect(ctx context.Context, to netip.AddrPort, limit time.Duration) (net.Conn, error) {
	d := net.Dialer{Timeout: limit}
	if c.o.SourceIP.IsValid() {
		d.LocalAddr = net.TCPAddrFromAddrPort(netip.AddrPortFrom(c.o.SourceIP, 0))
	}
	if c.o.Proxy == nil {
		return d.DialContext(ctx, "tcp", to.String())
	}
	conn, err := d.DialContext(ctx, "tcp", proxyAddress(c.o.Proxy))
	if err != nil {
		return nil, fmt.Errorf("reach the proxy: %w", err)
	}
	if err := tunnel(conn, c.o.Proxy, to, limit); err != nil {
		return nil, errors.Join(fmt.Errorf("tunnel through the proxy: %w", err), conn.Close())
	}
	return conn, nil
}

func proxyAddress(u *url.URL) string {
	if u.Port() == "" {
		return net.JoinHostPort(u.Hostname(), "80")
	}
	return u.Host
}

// tunnel asks the proxy for a connection to an address (RFC 9110 §9.3.6).
func tunnel(conn net.Conn, proxy *url.URL, to netip.AddrPort, limit time.Duration) error {
	if err := conn.SetDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	r := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: to.String()}, Host: to.String(),
		Header: http.Header{}}
	if u := proxy.User; u != nil {
		password, _ := u.Password()
		r.SetBasicAuth(u.Username(), password)
		r.Header["Proxy-Authorization"] = r.Header["Authorization"]
		r.Header.Del("Authorization")
	}
	if err := r.Write(conn); err != nil {
		return err
	}
	// One byte at a time: what follows the answer belongs to the tunnel.
	answer, err := http.ReadResponse(bufio.NewReaderSize(oneByte{conn}, 16), r)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the proxy answered %d", answer.StatusCode)
	}
	return conn.SetDeadline(time.Time{})
}

// oneByte keeps a buffered reader from taking more than it was asked for.
type oneByte struct{ net.Conn }

func (o oneByte) Read(p []byte) (int, error) { return o.Conn.Read(p[:min(1, len(p))]) }
