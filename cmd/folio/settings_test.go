package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"folio/authority"
)

// parse is the command line as the program reads it.
func parse(t *testing.T, args ...string) (*cli, *kong.Context, error) {
	t.Helper()
	var c cli
	p, err := newParser(context.Background(), &c, kong.Writers(io.Discard, io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	command, err := p.Parse(args)
	return &c, command, err
}

func TestDefaultsOfServe(t *testing.T) {
	c, _, err := parse(t, "serve")
	if err != nil {
		t.Fatal(err)
	}
	s := c.Serve
	if s.Addr != "127.0.0.1:8080" || filepath.Base(s.Data) != "folio-data" || s.Authority != "sandbox" ||
		s.RateLimitSecond != 50 || s.RateLimitMinute != 3000 ||
		s.LogFormat != "text" || s.LogLevel != "info" || s.AuthorityTimeout <= 0 || s.RetryBase <= 0 {
		t.Errorf("%+v", s)
	}
	for _, role := range []string{roleWrite, roleRead, roleProjections, roleProcessors, roleNode, roleSandbox} {
		if !s.has(role) {
			t.Errorf("the role %s is not on by itself", role)
		}
	}
	if s.masterKey() != filepath.Join(s.Data, "master.key") {
		t.Errorf("master key at %s", s.masterKey())
	}
}

// A process that is the log of others needs no authority, not even the sandbox.
func TestAProcessThatIsOnlyTheLogAsksForNoSandbox(t *testing.T) {
	for _, c := range []struct {
		roles []string
		good  bool
	}{{[]string{roleNode}, true}, {[]string{roleNode, roleWrite}, false}} {
		s := &service{flags: serveFlags{authorityFlags: authorityFlags{Authority: "sandbox"}, Roles: c.roles,
			dataFlags: dataFlags{Data: t.TempDir()}},
			logger: slog.New(slog.DiscardHandler)}
		if err := s.openAuthorities(t.Context()); (err == nil) != c.good {
			t.Errorf("%v: %v", c.roles, err)
		}
	}
}

func TestSettingsMayComeFromTheEnvironment(t *testing.T) {
	for name, value := range map[string]string{"FOLIO_ADDR": "127.0.0.1:0", "FOLIO_DATA": "/srv/folio",
		"FOLIO_ROLES": "read,projections", "FOLIO_RATE_LIMIT_SECOND": "0",
		"FOLIO_MASTER_KEY_FILE": "/run/key", "FOLIO_BOOTSTRAP_EMAIL": "ana@example.com",
		"FOLIO_BOOTSTRAP_PASSWORD": "correct horse", "FOLIO_LOG_FORMAT": "json"} {
		t.Setenv(name, value)
	}
	c, _, err := parse(t, "serve", "--addr", "127.0.0.1:9") // a flag counts more
	if err != nil {
		t.Fatal(err)
	}
	s := c.Serve
	if s.Addr != "127.0.0.1:9" || s.Data != "/srv/folio" || !slices.Equal(s.Roles, []string{"read", "projections"}) ||
		s.RateLimitSecond != 0 ||
		s.masterKey() != "/run/key" || s.BootstrapEmail != "ana@example.com" || s.LogFormat != "json" || s.has(roleWrite) {
		t.Errorf("%+v", s)
	}
}

func TestSettingsThatAreRefusedNameTheFlag(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"serve --roles=read,think", `--roles: "think" is no role`},
		{"serve --roles=", "--roles"},
		{"serve --retry-base=0s", "--retry-base"},
		{"serve --retry-base=soon", "--retry-base"},
		{"serve --authority-timeout=-1s", "--authority-timeout"},
		{"serve --rate-limit-second=-1", "--rate-limit-second"},
		{"serve --rate-limit-minute=x", "--rate-limit-minute"},
		{"serve --authority=moon", "--authority must be one of"},
		{"serve --authority-url=localhost:8090", "--authority-url"},
		{"serve --authority-url=ftp://x", "--authority-url"},
		{"serve --base-url=folio.example.com", "--base-url"},
		{"serve --log-level=loud", "--log-level"},
		{"serve --sandbox-latency=-1s", "--sandbox-latency"},
		{"serve --sandbox-addr=nowhere", "--sandbox-addr"},
		{"serve --addr=nonsense", `--addr: "nonsense" is not an address`},
		{"serve --addr=127.0.0.1:99999", "--addr"},
		{"serve --admin-addr=127.0.0.1", "--admin-addr"},
		{"serve --node-listen=2113", "--node-listen"},
		{"serve --metrics-every=-1s", "--metrics-every"},
		{"serve --log-origin=a+b", `--log-origin: "a+b" is no name of a log`},
		{"import settings.go --key=k --log-origin=a+b", "--log-origin"},
		{"serve --checkpoint-address=foo", `--checkpoint-address: "foo" is not an address`},
		{"serve --webhook-allow=10.0.0.0/99", "--webhook-allow"},
		{"serve --webhook-source-ip=here", "--webhook-source-ip"},
		{"serve --webhook-proxy=proxy:3128", "--webhook-proxy"},
		{"serve --bootstrap-email=ana@example.com", "--bootstrap-email and --bootstrap-password go together"},
		{"serve --bootstrap-password=x", "--bootstrap-email and --bootstrap-password go together"},
		{"serve --adr=x", `did you mean "--addr"`},
		{"demo --roles=x", "--roles"},
		{"history", "say whose history it is"},
		{"history 01ARZ3NDEKTSV4RRFFQ69G5FAV --company=01ARZ3NDEKTSV4RRFFQ69G5FAV",
			"give the id of an invoice, or say otherwise"},
		{"history --number=7 --reference=x", "can't be used together"},
		{"history --company=x", "no company id"},
		{"history --from=yesterday", "--from"},
		{"history --series=x --calls", "--calls is for invoices"},
		{"replay --until=yesterday", "--until"},
		{"replay --projection=none", "there is no projection"},
		{"replay --json", "--projection"},
		{"account add", "<email>"},
		{"series hold S --reason=", "--reason: say it in a few words"},
		{"series release S --reason=a\tb", "--reason: say"},
		{"outages close O --reason=", "--reason: say it in a few words"},
		{"quarantine skip S --reason=", "--reason: say it in a few words"},
		{"notary rotate --reason=", "--reason: say it in a few words"},
		{"sandbox certificate --out=x.pfx", "--tax-identifier"},
		{"sandbox certificate --out=x.pfx --tax-identifier=1 --password=p --country=zz", "--country"},
		{"", "expected one of"},
	} {
		var args []string
		if c.args != "" {
			args = strings.Split(c.args, " ")
		}
		if _, _, err := parse(t, args...); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("folio %s: %v, want %q", c.args, err, c.says)
		}
	}
}

// Files that cannot be used are told of all at once, and before a folder was filled.
func TestFilesThatCannotBeUsedOpenNothing(t *testing.T) {
	file, dir := filepath.Join(t.TempDir(), "file"), t.TempDir()
	if err := os.WriteFile(file, []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _, err := parse(t, "serve", "--data="+dir, "--trust="+file, "--authority-addresses="+file, "--tls-cert="+file,
		"--tls-key="+file)
	if err != nil {
		t.Fatal(err)
	}
	err = c.Serve.Run(t.Context())
	for _, flag := range []string{"--trust: ", "--authority-addresses: ", "--tls-cert, --tls-key: "} {
		if err == nil || !strings.Contains(err.Error(), flag) {
			t.Errorf("no %s in %v", flag, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the folder has %v, %v", left, err)
	}
}

// A first account that cannot be made names the flag, and not the field of a request.
func TestAFirstAccountThatCannotBeMadeNamesTheFlag(t *testing.T) {
	for email, says := range map[string]string{"ana": "--bootstrap-email: ", "ana@example.com": "--bootstrap-password: "} {
		c, _, err := parse(t, "serve", "--data="+t.TempDir(), "--addr=127.0.0.1:0", "--bootstrap-email="+email,
			"--bootstrap-password=short", "--log-level=error")
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Serve.Run(t.Context()); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%s: %v", email, err)
		}
	}
}

// A reason that is not said would be recorded for good.
func TestEveryReasonIsSaid(t *testing.T) {
	p, err := newParser(context.Background(), &cli{})
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range p.Model.Leaves(false) {
		for _, f := range command.Flags {
			if f.Name == "reason" && f.Tag.Type != "words" {
				t.Errorf("folio %s takes any --reason", command.FullPath())
			}
		}
	}
}

func TestWhichEnvironmentsAreServed(t *testing.T) {
	for mode, want := range map[string][2]bool{"sandbox": {true, true}, "testing": {true, false},
		"production": {false, true}} {
		f := serveFlags{authorityFlags: authorityFlags{Authority: mode}}
		if got := [2]bool{f.serves(authority.Testing), f.serves(authority.Production)}; got != want {
			t.Errorf("%s serves %v, want %v", mode, got, want)
		}
		if f.serves("Homologation") {
			t.Errorf("%s serves an environment that is none", mode)
		}
	}
}

// help is what --help prints.
func help(t *testing.T, args ...string) string {
	t.Helper()
	var c cli
	var out bytes.Buffer
	type exit struct{}
	p, err := newParser(context.Background(), &c, kong.Writers(&out, &out), kong.Exit(func(int) { panic(exit{}) }))
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if _, ok := recover().(exit); !ok {
				t.Errorf("%v --help does not end", args)
			}
		}()
		_, _ = p.Parse(append(args, "--help"))
	}()
	return out.String()
}

func TestHelpCanBeRead(t *testing.T) {
	top := help(t)
	for _, want := range []string{"folio demo", "serve ", "demo ", "account add", "history", "sandbox certificate",
		"projections rebuild", "version"} {
		if !strings.Contains(top, want) {
			t.Errorf("folio --help lacks %q", want)
		}
	}
	serve := help(t, "serve")
	last := -1
	for _, g := range groups {
		at := strings.Index(serve, "\n"+g.Title+"\n")
		if at <= last {
			t.Errorf("%q is missing or out of order", g.Title)
		}
		last = at
	}
	if flags, _, _ := strings.Cut(serve, groups[0].Title); strings.Count(flags, "--") > 1 {
		t.Errorf("flags without a group:\n%s", flags)
	}
	for _, command := range [][]string{{"account", "add"}, {"account", "disable"}, {"history"}, {"sandbox", "certificate"},
		{"projections", "rebuild"}, {"version"}} {
		text := help(t, command...)
		for line := range strings.Lines(text) {
			if len(line) > 100 {
				t.Errorf("%v: a line of %d letters: %s", command, len(line), line)
			}
		}
		if strings.Contains(text, "=STRING") {
			t.Errorf("%v has a flag whose value is called STRING:\n%s", command, text)
		}
	}
}

// printed is what a function writes to standard output.
func printed(t *testing.T, f func()) string {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdout
	os.Stdout = file
	defer func() { os.Stdout = old }()
	f()
	out, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// run is a whole command of the program, but for serve and demo, which do not end.
func run(t *testing.T, args ...string) (out string, err error) {
	t.Helper()
	_, command, err := parse(t, args...)
	if err != nil {
		return "", err
	}
	out = printed(t, func() { err = command.Run() })
	return out, err
}

// A witness that no call can reach would cosign nothing, and only the log lines would say so.
func TestAWitnessHasAnAddress(t *testing.T) {
	const key = "witness.example+266411ba+BL8MuDVxdrbF81f43mii0gnWjHA8TWGRrJx6uWfY8UFg"
	for address, ok := range map[string]bool{"https://witness.example/": true, "ftp://witness.example": false,
		"witness.example": false, "": false} {
		if _, err := (transparencyFlags{Witness: []string{key + " " + address}}).witnesses(); (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
	}
}
