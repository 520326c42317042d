package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"folio/strict"
)

// Proxies are the networks of the reverse proxies whose X-Forwarded-For is believed.
type Proxies []netip.Prefix

// ParseProxies reads networks in CIDR notation, or single addresses.
func ParseProxies(list []string) (Proxies, error) {
	var out Proxies
	for _, text := range list {
		p, err := netip.ParsePrefix(text)
		if a, e := netip.ParseAddr(text); e == nil {
			p, err = netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("%q is no network such as 10.0.0.0/8 and no address", text)
		}
		out = append(out, p.Masked())
	}
	return out, nil
}

func (p Proxies) trusted(a netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(a) })
}

// Client is the address that a request comes from: the peer's, or, when the peer is one of
// the proxies, the last one in X-Forwarded-For that is none of them. What stands before
// that can be written by anyone and is not read. The zero Addr means that the peer has no
// IP address.
func (p Proxies) Client(r *http.Request) netip.Addr {
	at := plainAddr(r.RemoteAddr)
	if !p.trusted(at) {
		return at
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop := plainAddr(strings.TrimSpace(hops[i]))
		if !hop.IsValid() {
			return at
		}
		if at = hop; !p.trusted(at) {
			return at
		}
	}
	return at
}

// Local says whether a request comes from this machine and not through a proxy on it that
// is unknown here.
func (p Proxies) Local(r *http.Request) bool {
	return p.Client(r).IsLoopback() && (!forwarded(r) || p.trusted(plainAddr(r.RemoteAddr)))
}

// Secure says whether a request came over TLS: to this server, or to a proxy that is believed.
func (p Proxies) Secure(r *http.Request) bool {
	return r.TLS != nil || p.trusted(plainAddr(r.RemoteAddr)) &&
		strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

// forwarded says whether a proxy left its mark on a request.
func forwarded(r *http.Request) bool {
	h := r.Header // canonical form of these names; asking the map saves looking for it
	return len(h["X-Forwarded-For"])+len(h["Forwarded"])+len(h["X-Real-Ip"])+len(h["Via"]) > 0
}

// plainAddr reads an address with or without a port; the zero Addr for what is none.
func plainAddr(text string) netip.Addr {
	ap, err := netip.ParseAddrPort(text) // what net/http tells is one
	a := ap.Addr()
	if err != nil {
		if a, err = netip.ParseAddr(strings.Trim(text, "[]")); err != nil {
			return netip.Addr{}
		}
	}
	return a.Unmap().WithZone("")
}

// addressPrefix tells the budget of an address from that of a credential.
const addressPrefix = "address:"

// place is whose budget and turns an unknown caller uses: an address, of IPv6 the /64 that
// one host owns whole.
func (p Proxies) place(r *http.Request) string {
	a := p.Client(r)
	if !a.IsValid() {
		return addressPrefix + strict.Shorten(r.RemoteAddr, maxID)
	}
	if a.Is6() {
		if prefix, err := a.Prefix(64); err == nil {
			return addressPrefix + prefix.String()
		}
	}
	return addressPrefix + a.String()
}

// Place names where a request comes from, for counting what unknown callers do: an
// address, of IPv6 the /64 that one host owns whole. Empty outside a request.
func Place(ctx context.Context) string { return exchangeOf(ctx).address }
