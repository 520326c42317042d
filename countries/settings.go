package countries

import (
	"crypto"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"folio/authority"
	"folio/authority/wire"
)

// Settings are what drivers are made with.
type Settings struct {
	// Base is the address below which all authorities are, as a sandbox or a proxy has them;
	// "" for their own addresses.
	Base string
	// Moved are single services that are elsewhere.
	Moved Addresses
	// Timeout is for one call, whole.
	Timeout time.Duration
	Vault   wire.Vault
	Log     *slog.Logger
	// DGIHash and DGIMessageHash are dgi.Options.Hash and MessageHash.
	DGIHash, DGIMessageHash crypto.Hash
}

// Addresses are those of services that are elsewhere than the program thinks, by
// authority, environment and name. Only what is named moves: authorities move host by host.
type Addresses map[string]map[authority.Environment]map[string]string

// Services are the names that Addresses may have for an authority; false: no country has it.
func Services(name string) ([]string, bool) {
	for _, c := range All {
		if c.Rules.Authority() == name {
			return c.Services, true
		}
	}
	return nil, false
}

// endpoints are the addresses of one authority and environment.
type endpoints[E any] interface {
	*E
	Services() map[string]*string
}

// services are the names of an authority's addresses.
func services[E any, P endpoints[E]]() []string {
	return slices.Sorted(maps.Keys(P(new(E)).Services()))
}

// place is where an authority's endpoints are: its own for each environment, and how they
// stand below a base, after a prefix.
type place[E any] struct {
	authority           string
	production, testing E
	below               func(environment, base string) E
	prefix              string
}

// clients makes a client an environment.
func clients[E any, P endpoints[E], C any](s Settings, at place[E], client func(E) C) map[authority.Environment]C {
	out := map[authority.Environment]C{}
	for in, e := range map[authority.Environment]E{authority.Production: at.production, authority.Testing: at.testing} {
		if s.Base != "" {
			name := strings.ToLower(string(in))
			e = at.below(name, strings.TrimSuffix(s.Base, "/")+at.prefix+name)
		}
		for service, address := range s.Moved[at.authority][in] {
			*P(&e).Services()[service] = address
		}
		out[in] = client(e)
	}
	return out
}
