package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "folio"

// may lists, for each package of the house, the packages of the house that it is
// allowed to import. The first line that fits counts; a pattern that ends in "/" fits
// everything below. Tests are not looked at: they may use whatever they test with.
var may = []struct {
	pkg   string
	allow []string
}{
	{"money", nil},
	{"cache", nil},
	{"fault", nil},
	{"scope", nil},
	{"clock", nil},
	{"rapidseed", nil},
	{"admission", []string{"fault"}},
	{"events", []string{"money"}},
	{"events/schema", nil},
	{"country", []string{"country/figures", "events", "money", "fault"}},
	{"country/figures", []string{"money"}},
	{"country/cl/stamptest", nil},
	{"country/", []string{"country", "country/figures", "country/xmlsig", "events", "money", "fault"}},

	{"commands/aggregates", []string{"commands", "commands/"}},
	{"commands/commandtest", []string{"commands", "events"}},
	{"commands/", []string{"commands", "events", "country", "money", "fault", "scope"}},
	{"commands", []string{"cache", "events", "eventstore", "fault"}},

	{"eventstore", []string{"clock", "events", "fault"}},
	{"eventstore/node", []string{"eventstore/node/"}},
	{"eventstore/node/storage", nil},
	{"eventstore/node/protocol", []string{"eventstore/node/storage"}},
	{"eventstore/node/groups", []string{"eventstore/node/group", "eventstore/node/protocol", "eventstore/node/storage"}},
	{"eventstore/node/", nil},
	{"eventstore/", []string{"clock", "events", "eventstore"}},

	{"sqlfile", []string{"clock", "fault", "secretfile"}},
	{"mongodb", []string{"fault"}},
	{"tables", []string{"events", "fault", "money"}},
	{"tables/lease", []string{"clock", "tables"}},
	{"tables/", []string{"tables", "events", "fault", "money", "sqlfile", "mongodb"}},
	{"secretfile", nil},
	{"vault", []string{"secretfile"}},
	{"vault/", []string{"vault", "fault", "sqlfile", "mongodb"}},

	{"projections/engine", []string{"cache", "clock", "events", "fault", "money", "summary", "tables", "tables/checkpoint",
		"tables/lease"}},
	{"projections/projectiontest", []string{"projections", "projections/engine", "events", "money", "eventstore",
		"eventstore/memory",
		"tables"}},
	{"summary", []string{"country", "country/", "events", "money"}},
	{"flat", []string{"events", "eventstore", "money", "summary"}},
	{"projections", []string{"projections/engine", "events", "tables", "fault", "money", "country", "summary", "scope"}},

	{"bus", []string{"clock", "events", "eventstore"}},
	{"quarantine", []string{"events", "eventstore", "tables"}},
	{"version", nil},
	{"outbound", []string{"version"}},
	{"mail", nil},
	{"waiting", []string{"cache", "events", "tables"}},
	{"monitor", []string{"authority", "commands", "commands/invoice", "events", "httpapi", "projections",
		"projections/engine", "tables", "waiting"}},
	{"tracing", nil},
	{"transparency", []string{"cache", "events", "tables", "vault"}},
	{"verify", []string{"authority", "cache", "commands", "commands/", "events", "eventstore", "past", "projections",
		"projections/engine", "tables", "transparency", "vault"}},
	{"authority", []string{"events", "money", "country"}},
	{"authority/circuit", []string{"authority", "events"}},
	{"authority/drivertest", []string{"authority", "sandbox", "events", "money", "country", "country/"}},
	{"authority/wire", []string{"authority"}},
	{"authority/xmlsign", nil},
	{"authority/schema", []string{"fault"}},
	{"sandbox", []string{"money", "sandbox/desk"}},
	{"sandbox/desk", []string{"clock", "sqlfile"}},
	{"sandbox/", []string{"sandbox", "authority/schema", "sandbox/desk", "money"}},
	{"countries", []string{"authority", "authority/", "country", "country/", "sandbox", "sandbox/"}},
	{"authority/", []string{"authority", "authority/wire", "authority/xmlsign", "authority/schema", "events", "money",
		"country", "country/", "vault", "version"}},

	{"processors", []string{"processors/"}},
	{"processors/lanes", []string{"admission", "clock"}},
	{"processors/reactor", []string{"processors/lanes", "authority", "bus", "clock", "commands", "country", "events",
		"tables", "tables/checkpoint", "tables/lease"}},
	{"processors/processortest", []string{"processors/reactor", "bus", "clock", "commands", "events", "eventstore",
		"eventstore/memory", "tables"}},
	{"processors/delivery", []string{"admission", "processors/lanes", "processors/reactor", "clock", "events", "commands",
		"commands/", "tables",
		"tables/writebehind", "resource", "outbound", "country"}},
	{"processors/credits", []string{"processors/reactor", "clock", "events", "commands", "commands/", "tables", "country",
		"money"}},
	{"processors/outagewatch", []string{"processors/reactor", "clock", "events", "commands", "commands/"}},
	{"processors/contingency", []string{"processors/lanes", "processors/reactor", "processors/credits", "events",
		"certificate", "commands", "commands/", "authority", "tables", "country"}},
	{"processors/notary", []string{"processors/reactor", "events", "commands", "commands/transparency", "fault",
		"outbound", "transparency", "tables", "vault"}},
	{"processors/submission", []string{"processors/lanes", "processors/reactor", "processors/credits", "events",
		"certificate", "commands", "commands/", "authority",
		"tables", "country", "waiting"}},
	{"processors/", []string{"processors/lanes", "processors/reactor", "events", "certificate", "commands", "commands/",
		"authority", "tables", "country"}},

	{"past", []string{"commands", "commands/", "events"}},

	{"strict", []string{"fault", "money"}},
	{"httpapi", []string{"admission", "clock", "fault", "money", "scope", "strict"}},
	{"resource", []string{"events", "money", "country", "httpapi", "strict"}},
	{"access", []string{"admission", "clock", "commands", "commands/account", "commands/apikey", "events", "fault",
		"vault",
		"httpapi", "tables", "commands/accesslog", "commands/company", "scope", "strict"}},
	{"certificate", []string{"cache", "authority", "commands/company", "fault"}},
	{"verification", []string{"authority", "certificate", "commands/company", "country", "events", "fault"}},
	{"pdf", []string{"country", "fault"}},
	{"audit", nil}, // a stranger's tool: see TestTheAuditorsPackageStandsAlone
	{"audit/", []string{"audit"}},
	{"exports", []string{"audit", "clock", "commands/idempotency", "events", "eventstore", "fault", "papers", "past",
		"projections", "projections/engine", "resource", "money", "transparency"}},
	{"papers", []string{"country", "events", "fault", "httpapi", "pdf", "projections", "resource"}},

	// The two sides of the API. The write side never reads a read model, the read side
	// never decides anything.
	{"writeapi", []string{"admission", "commands", "commands/", "events", "httpapi", "fault", "money", "country",
		"resource", "scope", "strict", "waiting"}},
	{"readapi", []string{"events/schema", "summary", "admission", "cache", "exports", "past", "projections",
		"projections/engine", "tables", "events", "money", "papers", "httpapi", "fault", "country", "resource",
		"waiting", "scope", "strict"}},

	// The console is a client of the API, called in this process.
	{"console", []string{"admission", "fault", "httpapi"}},

	// The document of the API: what is served, and what makes it from the program.
	{"apidoc", []string{"fault", "httpapi"}},
	{"apidoc/derive", []string{"apidoc", "countries", "resource", "fault", "httpapi", "readapi", "strict", "writeapi"}},

	{"cmd/", []string{""}},
	{"bench", []string{""}},
	{"conformance/", []string{"eventstore/node", "eventstore/node/storage"}},
	{"bench/", []string{""}},
	{"faultproxy", nil},
	{"faultproxy/", []string{"faultproxy"}},
	{"e2e", nil},
}

// fences name the only packages that may import a library.
var fences = []struct {
	library string
	inside  []string
}{
	{"github.com/ThreeDotsLabs/watermill", []string{"bus", "processors/reactor"}},
	{"github.com/EventStore/EventStore-Client-Go", []string{"eventstore", "eventstore/"}},
	{"go.mongodb.org/mongo-driver", []string{"mongodb", "tables/mongo", "vault/mongo"}},
	{"example.com/folio/client", []string{"cmd/", "bench"}}, // as any integrator; tests may, too
	{"github.com/go-chi/chi", []string{"writeapi", "readapi", "httpapi", "apidoc", "apidoc/derive", "cmd/"}},
	{"github.com/jung-kurt/gofpdf", []string{"pdf"}},
	{"github.com/parquet-go/parquet-go", []string{"flat"}},
	{"rsc.io/qr", []string{"pdf"}},
	{"github.com/wneessen/go-mail", []string{"mail"}},
	{"modernc.org/sqlite", []string{"eventstore/node/storage", "sqlfile", "tables/sqlite", "vault/sqlite", "sandbox/"}},
	{"go.opentelemetry.io/", []string{"tracing"}},
	{"github.com/prometheus/client_golang", []string{"bus", "cmd/", "monitor"}},
	{"github.com/alecthomas/kong", []string{"cmd/"}},
}

func fits(pattern, pkg string) bool {
	return pattern == pkg || strings.HasSuffix(pattern, "/") && strings.HasPrefix(pkg, pattern)
}

func anyFits(patterns []string, pkg string) bool {
	for _, p := range patterns {
		if p == "" || fits(p, pkg) {
			return true
		}
	}
	return false
}

// allowed says whether a package of the house may import another; a package that is
// on no line may import nothing, so a new room needs a line of its own.
func allowed(from, to string) bool {
	for _, r := range may {
		if fits(r.pkg, from) {
			return anyFits(r.allow, to)
		}
	}
	return false
}

func fenced(from, library string) bool {
	for _, f := range fences {
		if strings.HasPrefix(library, f.library) {
			return !anyFits(f.inside, from)
		}
	}
	return false
}

type listed struct {
	ImportPath, Dir string
	Imports         []string
	GoFiles         []string
}

// packages lists the house, as the go command sees it.
func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Dir,GoFiles", "../...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		p.ImportPath = strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		all = append(all, p)
	}
}

func TestEveryPackageImportsOnlyWhatItMay(t *testing.T) {
	for _, p := range packages(t) {
		for _, i := range p.Imports {
			if to, ours := strings.CutPrefix(i, module+"/"); ours && !allowed(p.ImportPath, to) {
				t.Errorf("%s must not import %s: see the table in arch/imports_test.go", p.ImportPath, to)
			}
			if fenced(p.ImportPath, i) {
				t.Errorf("%s must not import %s: another package is its only importer", p.ImportPath, i)
			}
		}
	}
}

func TestTheRuleBites(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"writeapi", "projections", false},
		{"writeapi", "readapi", false},
		{"readapi", "commands", false},
		{"readapi", "commands/invoice", false},
		{"events", "commands", false},
		{"country/ar", "country", true},
		{"commands/invoice", "eventstore", false},
		{"commands", "eventstore", true},
		{"processors/submission", "projections", false},
		{"nowhere", "money", false},
	} {
		if got := allowed(c.from, c.to); got != c.want {
			t.Errorf("%s may import %s: %v, want %v", c.from, c.to, got, c.want)
		}
	}
	if !fenced("processors/submission", "github.com/ThreeDotsLabs/watermill/message") ||
		fenced("bus", "github.com/ThreeDotsLabs/watermill") {
		t.Error("the fence around Watermill has a hole")
	}
}

// publishing lists where a file publishes messages: facts come from deciders, through
// commands. The publisher of bus is for other programs.
func publishing(t *testing.T, file string, src any) []string {
	t.Helper()
	set, f := parsed(t, file, src)
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			of, _ := s.X.(*ast.Ident)
			if of != nil && of.Name == "bus" && strings.Contains(s.Sel.Name, "Publisher") {
				out = append(out, set.Position(s.Pos()).String()+" uses bus."+s.Sel.Name)
			}
		}
		return true
	})
	return out
}

func TestNobodyPublishesMessages(t *testing.T) {
	noneHas(t, publishing, []string{""})
	if bad := publishing(t, "x.go", "package p\nvar _, _ = bus.NewPublisher(bus.PublisherConfig{})"); len(bad) != 2 {
		t.Errorf("the rule about publishing does not bite: %v", bad)
	}
}
