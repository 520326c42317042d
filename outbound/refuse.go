package outbound

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// Refusal says why an address may not be called.
type Refusal struct {
	Code string // a stable constant: BAD_SCHEME, PRIVATE_ADDRESS, ...
	Text string // what is wrong and what would be right
}

// Error is the text.
func (r *Refusal) Error() string { return r.Text }

func refuse(code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Text: fmt.Sprintf(format, args...)}
}

// maxURL is the longest address; more is a mistake or an attack.
const maxURL = 2048

// target is an address taken apart, its host in the form that is resolved.
type target struct {
	url  *url.URL
	host string
	port uint16
}

// parse refuses everything about a URL that can be told without resolving its host.
func parse(raw string) (target, error) {
	if len(raw) > maxURL {
		return target{}, refuse("URL_TOO_LONG", "must have at most %d bytes", maxURL)
	}
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" || strings.ContainsAny(raw, " \t\r\n\\") {
		return target{}, refuse("BAD_URL", "must be an address like https://example.com/webhooks")
	}
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return target{}, refuse("BAD_SCHEME", "must begin with https:// or http://")
	case u.User != nil:
		return target{}, refuse("CREDENTIALS_IN_URL", "must not hold a user name or password: check the signature instead")
	case u.Fragment != "":
		return target{}, refuse("BAD_URL", "must not have a fragment (#): it never reaches a server")
	case u.Hostname() == "":
		return target{}, refuse("BAD_URL", "must name a host, like https://example.com/webhooks")
	}
	t := target{url: u, port: 443}
	if u.Scheme == "http" {
		t.port = 80
	}
	if p := u.Port(); p != "" {
		n, err := strconv.ParseUint(p, 10, 16)
		if err != nil || n == 0 {
			return target{}, refuse("BAD_PORT", "must have a port from 1 to 65535, or none")
		}
		t.port = uint16(n)
	} else if strings.HasSuffix(u.Host, ":") {
		return target{}, refuse("BAD_PORT", "must have a port after the colon, or no colon")
	}
	if otherServices[t.port] {
		return target{}, refuse("BAD_PORT", "must not use port %d, which belongs to another service than HTTP", t.port)
	}
	t.host, err = hostOf(u.Hostname())
	return t, err
}

// hostOf gives the host in the one form that is resolved: an IP address, or a name in
// ASCII. Other spellings of an IPv4 address (2130706433, 0x7f.1, 0177.0.0.1, 127.1) are
// refused, since resolvers disagree about them.
func hostOf(host string) (string, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		if a.Zone() != "" {
			return "", refuse("BAD_HOST", "must not have an IPv6 zone")
		}
		return a.String(), nil
	}
	if strings.Contains(host, ":") {
		return "", refuse("BAD_HOST", "must have a host that is a name or an IP address")
	}
	name, err := idna.Lookup.ToASCII(strings.TrimSuffix(host, "."))
	if err != nil || name == "" || len(name) > 253 {
		return "", refuse("BAD_HOST", "must have a host that is a valid name")
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 {
			return "", refuse("BAD_HOST", "must have a host whose parts between the points have 1 to 63 characters")
		}
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if number(last) {
		return "", refuse("BAD_HOST", "must write an IP address in its usual form, like 192.0.2.7")
	}
	return name, nil
}

// number says whether a label would be read as a number, so that the whole host would
// be taken for an IPv4 address (WHATWG URL, "ends in a number").
func number(label string) bool {
	if digits, hex := strings.CutPrefix(strings.ToLower(label), "0x"); hex {
		return strings.Trim(digits, "0123456789abcdef") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}

// forbidden are the networks that are nobody's public server: IANA's registries of
// special-purpose addresses, and the metadata services that live outside of them.
// Within IPv6 only 2000::/3 is looked at; all else is refused before.
var forbidden = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16",
	"192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"168.63.129.16/32", // Azure's host: public by number, the platform by nature
	"2001::/23",        // Teredo, ORCHID, benchmarking
	"2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)

var globalIPv6 = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, t := range texts {
		out[i] = netip.MustParsePrefix(t)
	}
	return out
}

func within(a netip.Addr, ps []netip.Prefix) bool {
	return slices.ContainsFunc(ps, func(p netip.Prefix) bool { return p.Contains(a) })
}

// admit refuses an address that a callback must not reach. What the operator allows is
// allowed, except our own listeners. The text names no address: what a name means in our
// network is not for companies to read.
func (c *Client) admit(a netip.Addr, port uint16) error {
	a = a.Unmap().WithZone("")
	if c.own(a, port) {
		return refuse("OWN_ADDRESS", "must not point at this service itself")
	}
	if within(a, c.o.Allow) {
		return nil
	}
	if within(a, forbidden) || a.Is6() && !globalIPv6.Contains(a) || !a.IsValid() {
		return refuse("PRIVATE_ADDRESS", "must not point at a private, local or reserved address: the operator has to "+
			"allow it")
	}
	return nil
}

// own says whether a port of this machine is one that this service listens on.
func (c *Client) own(a netip.Addr, port uint16) bool {
	mine := false
	for _, p := range c.o.OwnPorts {
		mine = mine || p == port
	}
	return mine && (a.IsLoopback() || a.IsUnspecified() || c.o.Local(a))
}

// otherServices are the ports that browsers refuse too (WHATWG Fetch, "bad port"): a
// POST must not be able to speak to a mail or database server.
var otherServices = map[uint16]bool{
	1: true, 7: true, 9: true, 11: true, 13: true, 15: true, 17: true, 19: true, 20: true, 21: true, 22: true, 23: true,
	25: true, 37: true, 42: true, 43: true, 53: true, 69: true, 77: true, 79: true, 87: true, 95: true, 101: true,
	102: true,
	103: true, 104: true, 109: true, 110: true, 111: true, 113: true, 115: true, 117: true, 119: true, 123: true,
	135: true,
	137: true, 139: true, 143: true, 161: true, 179: true, 389: true, 427: true, 465: true, 512: true, 513: true,
	514: true,
	515: true, 526: true, 530: true, 531: true, 532: true, 540: true, 548: true, 554: true, 556: true, 563: true,
	587: true,
	601: true, 636: true, 989: true, 990: true, 993: true, 995: true, 1719: true, 1720: true, 1723: true, 2049: true,
	2113: true, 3306: true, 3659: true, 4045: true, 4190: true, 5060: true, 5061: true, 5432: true, 6000: true, 6379: true,
	6566: true, 6665: true, 6666: true, 6667: true, 6668: true, 6669: true, 6679: true, 6697: true, 10080: true,
	11211: true,
	27017: true,
}
