// Package outbound calls addresses that strangers chose. It refuses those that are not
// a public server's, looks again at the moment of connecting (so that a name that
// resolves to something else by then gains nothing), bounds every wait and every byte,
// and follows no redirect.
package outbound

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"folio/version"
)

// Limit is how long a receiver has, from the start of the connection to the last
// header (specification, Delivery rules 1 and 4).
const Limit = 1000 * time.Millisecond

// MaxBody is how much of an answer is read.
const MaxBody = 4 << 10

// Options say how foreign addresses are reached. The zero value is good.
type Options struct {
	// Allow are networks that may be called although they are private.
	Allow []netip.Prefix
	// OwnPorts are ports that this service listens on: refused on this machine's own
	// addresses, whatever Allow says.
	OwnPorts []uint16
	// SourceIP is the local address of every connection; invalid: the system's choice.
	SourceIP netip.Addr
	// Proxy tunnels every connection: http://[user:password@]host:port, asked with
	// CONNECT for the IP address that was looked at, so that it cannot be led astray.
	Proxy *url.URL
	// Roots are trusted beside nothing else; nil: the system's.
	Roots *x509.CertPool
	// Resolve finds the addresses of a name; nil: the system's resolver.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	// Local says whether an address is one of this machine's; nil asks the system.
	Local func(netip.Addr) bool
	// UserAgent names us to receivers.
	UserAgent string
}

// Client calls foreign addresses. It is safe for concurrent use.
type Client struct {
	o    Options
	http *http.Client
}

// The bounds of kept connections: a receiver that is called often does not pay for a
// handshake each time, and ten thousand receivers do not cost ten thousand sockets.
const (
	idlePerHost = 64
	idleAll     = 1024
	idleTime    = 5 * time.Second
)

// resolveLimit bounds the name service, which is no fault of the receiver's: its time
// does not count.
const resolveLimit = 2 * time.Second

// New makes a client.
func New(o Options) *Client {
	if o.Resolve == nil {
		o.Resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	if o.Local == nil {
		o.Local = local
	}
	if o.UserAgent == "" {
		o.UserAgent = version.UserAgent("webhooks")
	}
	c := &Client{o: o}
	c.http = &http.Client{
		// HTTP/1.1 alone: closing a connection is then the way to stop an endless body.
		Transport: &http.Transport{
			DialContext:            c.dial,
			TLSClientConfig:        &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    Limit,
			MaxIdleConns:           idleAll,
			MaxIdleConnsPerHost:    idlePerHost,
			IdleConnTimeout:        idleTime,
			MaxResponseHeaderBytes: 64 << 10,
			DisableCompression:     true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Check looks at an address before anybody relies on it. A *Refusal says why it will
// never be called. A name is not resolved: whether one of our network exists is not for
// strangers to learn, and the call itself looks at what it resolves to. Names of this
// machine are known without asking (RFC 6761 §6.3).
func (c *Client) Check(raw string) error {
	t, err := parse(raw)
	if err != nil {
		return err
	}
	if t.host == "localhost" || strings.HasSuffix(t.host, ".localhost") {
		return c.admit(netip.AddrFrom4([4]byte{127, 0, 0, 1}), t.port)
	}
	if a, err := netip.ParseAddr(t.host); err == nil {
		return c.admit(a, t.port)
	}
	return nil
}

func (c *Client) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	addresses, err := c.o.Resolve(ctx, host)
	if err == nil && len(addresses) == 0 {
		err = errors.New("no address")
	}
	if err != nil {
		return nil, &unresolved{err}
	}
	return addresses, nil
}

// unresolved is a name without an address that may be called: it has none, the name
// service fails, or it has one of our network. Its text is the same for all of them.
type unresolved struct{ err error }

func (u *unresolved) Error() string { return "the host's name does not resolve to a public address" }
func (u *unresolved) Unwrap() error { return u.err }

// local asks the system for its own addresses.
func local(a netip.Addr) bool {
	own, err := net.InterfaceAddrs()
	if err != nil {
		return true // unknown: better too careful with our own ports
	}
	return slices.ContainsFunc(own, func(o net.Addr) bool {
		p, err := netip.ParsePrefix(o.String())
		return err == nil && p.Addr().Unmap() == a
	})
}

// ParsePrefixes reads a list of networks in CIDR form; a single address is a network
// of its own.
func ParsePrefixes(texts []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, t := range texts {
		if a, err := netip.ParseAddr(t); err == nil {
			out = append(out, netip.PrefixFrom(a, a.BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(t)
		if err != nil {
			return nil, fmt.Errorf("%q is not a network like 10.1.0.0/16", t)
		}
		out = append(out, p.Masked())
	}
	return out, nil
}
