package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"folio/authority"
	"folio/countries"
	"folio/eventstore/node"
	"folio/secretfile"
)

// dataFlags say where everything is kept; every subcommand on data has them.
type dataFlags struct {
	Data           string `group:"data" help:"Folder of the embedded log, read models, vault and sandbox." default:"./folio-data" type:"path"`
	Eventstore     string `group:"data" help:"Event log: esdb://… of EventStoreDB or KurrentDB, or unix:///path of a node. Empty: the embedded node." placeholder:"ADDRESS"`
	EventstoreFile string `group:"data" help:"File that holds the address of --eventstore, mode 0600: a password in it shows in no list of processes." type:"existingfile" placeholder:"FILE"`
	StreamPrefix   string `group:"data" help:"What the names of all streams begin with, on a server that others use too: folio. makes folio.invoice-… . Chosen before the first start and never changed." placeholder:"TEXT"`
	Mongo          string `group:"data" help:"Read models and vault in MongoDB: mongodb://… . Empty: SQLite in the data folder." placeholder:"ADDRESS"`
	MongoFile      string `group:"data" help:"File that holds the address of --mongo, mode 0600." type:"existingfile" placeholder:"FILE"`
	MasterKeyFile  string `group:"data" help:"File of the vault's master key, mode 0600. Empty: master.key in the data folder, made at the first start." type:"path" placeholder:"FILE"`
	LogFormat      string `group:"log" help:"Form of log lines: text or json." enum:"text,json" default:"text"`
	LogLevel       string `group:"log" help:"Least important lines that are written: debug, info, warn or error." enum:"debug,info,warn,error" default:"info"`

	network node.Network // where the embedded log is reached by others; set by serve
	serves  bool         // callers wait for answers; set by serve
}

func (d dataFlags) masterKey() string {
	if d.MasterKeyFile != "" {
		return d.MasterKeyFile
	}
	return filepath.Join(d.Data, "master.key")
}

// exists refuses a folder that holds no data yet, for commands that look at what is
// there: a misspelt --data must not become a new folder.
func (d dataFlags) exists() error {
	if d.elsewhere() {
		return nil
	}
	if _, err := os.Stat(d.nodeDir()); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s holds no data of Folio's: name the service's folder with --data", d.Data)
	}
	return nil
}

// elsewhere says that the event log is not the embedded one.
func (d dataFlags) elsewhere() bool { return d.Eventstore != "" || d.EventstoreFile != "" }

// eventstore is the address of the event log, empty for the embedded one.
func (d dataFlags) eventstore() (string, error) {
	return orFile("--eventstore", d.Eventstore, d.EventstoreFile)
}

// inMongo says that read models and vault are not in the data folder.
func (d dataFlags) inMongo() bool { return d.Mongo != "" || d.MongoFile != "" }

// mongo is the address of MongoDB, empty for SQLite.
func (d dataFlags) mongo() (string, error) { return orFile("--mongo", d.Mongo, d.MongoFile) }

// orFile is the value of a flag, which the one line of a file may hold that nobody else can read. No error quotes it.
func orFile(flag, value, file string) (string, error) {
	if file == "" {
		return value, nil
	}
	if value != "" {
		return "", fmt.Errorf("%s and %s-file say the same: give one of them", flag, flag)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("%s-file: %w", flag, err)
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", fmt.Errorf("%s-file: %w", flag, err)
	}
	if secretfile.Exposed(info) {
		return "", fmt.Errorf("%s-file: others may read %s, which holds a secret: chmod 600 it", flag, file)
	}
	value = strings.TrimSpace(string(content))
	if value == "" || strings.ContainsAny(value, "\n\r") {
		return "", fmt.Errorf("%s-file: %s must hold one line", flag, file)
	}
	return value, nil
}

func (d dataFlags) nodeDir() string    { return filepath.Join(d.Data, "log") }
func (d dataFlags) sandboxDir() string { return countries.SandboxDir(d.Data) }

// logger writes to standard error: standard output is for what a command says.
func (d dataFlags) logger() *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(d.LogLevel)); err != nil {
		level = slog.LevelInfo // outside the parser, which knows the four
	}
	options := &slog.HandlerOptions{Level: level}
	if d.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options))
}

// The roles of a process.
const (
	roleWrite       = "write"
	roleRead        = "read"
	roleProjections = "projections"
	roleProcessors  = "processors"
	roleNode        = "node"
	roleSandbox     = "sandbox"
)

// authorityFlags say which fiscal authorities are spoken to, and where they are.
type authorityFlags struct {
	Authority          string        `group:"authority" help:"Fiscal authorities to speak to: sandbox takes every environment and nothing counts, testing only Testing, production only Production." enum:"sandbox,testing,production" default:"sandbox"`
	AuthorityURL       string        `group:"authority" help:"Base address in place of the authority's own, such as that of a sandbox in another process." placeholder:"URL"`
	AuthorityAddresses string        `group:"authority" help:"JSON file with the addresses of single services that have moved, by authority, environment and service: {\"arca\": {\"Production\": {\"wsaa\": \"https://…\"}}}. The others stay where they are." type:"existingfile" placeholder:"FILE"`
	AuthorityTimeout   time.Duration `group:"authority" help:"Limit of one call to an authority." default:"45s"`
}

// serveFlags are the operator's contract: docs/operating.md.
type serveFlags struct {
	Addr            string   `group:"http" help:"Address to listen on; port 0 takes a free one." default:"127.0.0.1:8080"`
	BaseURL         string   `group:"http" help:"Address under which callers reach the service. Empty: the one it listens on." placeholder:"URL"`
	RateLimitSecond int      `group:"http" help:"Requests that one credential may make a second; 0 means no limit." default:"50"`
	RateLimitMinute int      `group:"http" help:"Requests that one credential may make a minute; 0 means no limit." default:"3000"`
	Roles           []string `group:"http" help:"What this process does: any of write, read, projections, processors, node and sandbox, with commas between. All of them unless given." default:"write,read,projections,processors,node,sandbox" placeholder:"ROLE"`

	doorFlags
	dataFlags
	nodeFlags
	backupFlags
	authorityFlags

	Trust                   []string      `group:"authority" help:"PEM file with certificates or keys that numbering files may be signed with, such as DGI's; may be given again." type:"existingfile" placeholder:"FILE"`
	VerifyPurchases         string        `group:"authority" help:"Whether authorities are asked about the documents that suppliers issued (Argentina: WSCDC, with which the company must associate its certificate): auto asks the sandbox only." enum:"auto,always,never" default:"auto"`
	Figures                 string        `group:"authority" help:"JSON file with figures of the law that are newer than this program; folio figures prints those in force." type:"existingfile" placeholder:"FILE"`
	DGIHash                 string        `group:"authority" name:"dgi-hash" help:"Hash of the signatures of Uruguayan documents. DGI's own examples show sha1, documents of 2024 and later sha256." enum:"sha256,sha1" default:"sha256"`
	DGIMessageHash          string        `group:"authority" name:"dgi-message-hash" help:"Hash of the signatures of messages to DGI (WS-Security)." enum:"sha256,sha1" default:"sha256"`
	DailyReportAfter        time.Duration `group:"authority" help:"How long after midnight the day before is reported to the authority (Uruguay); 0: two hours." default:"0s"`
	ExchangeDifferenceNotes bool          `group:"authority" help:"Argentina: let notes in pesos correct documents in another currency, for differences of exchange. Whether ARCA takes them is not verified."`
	DailyReportSkipEmpty    bool          `group:"authority" help:"Leave out days without documents. Otherwise they are reported from a company's first document on."`
	RetryBase               time.Duration `group:"authority" help:"First pause after a failure of an authority; later ones grow with it." default:"5s"`
	StandsAfter             time.Duration `group:"authority" help:"How long a numbering series may wait without learning anything before the operator is told: an ERROR in the log, a metric, readyz." default:"1h"`
	Handover                string        `group:"authority" help:"Whether documents may be handed over before the authority's verdict (Chile, Uruguay; docs/contingency.md): off; sent, once the authority has them, and Chile's boletas while it is away; offline, while it is away other signed documents too, which no norm read by us says." enum:"off,sent,offline" default:"off"`
	OutageCalls             int           `group:"authority" help:"How many calls that a company needs must fail, with none between that gets through, before the authority counts as away for it." default:"3"`
	OutageAfter             time.Duration `group:"authority" help:"Over how long those calls must have failed." default:"5m"`
	RenewAfter              time.Duration `group:"authority" help:"How long an authority may say that it had an envelope and deny its documents (Chile, Uruguay), before they go out, as they were signed, in a new one; 0: never." default:"1h"`

	sandboxFlags
	webhookFlags
	mailFlags
	transparencyFlags
	tracingFlags

	misspelt []misspelling // variables that set nothing
}

// onlyNode says that the process is the log of others and does nothing else.
func (s serveFlags) onlyNode() bool {
	return !slices.ContainsFunc(s.Roles, func(r string) bool { return r != roleNode })
}

// Validate is called by the parser.
func (s serveFlags) Validate() error {
	all := []string{roleWrite, roleRead, roleProjections, roleProcessors, roleNode, roleSandbox}
	if len(s.Roles) == 0 {
		return fmt.Errorf("--roles: a process without a role does nothing, use some of %v", all)
	}
	for _, r := range s.Roles {
		if !slices.Contains(all, r) {
			return fmt.Errorf("--roles: %q is no role, use some of %v", r, all)
		}
	}
	if s.RetryBase <= 0 || s.AuthorityTimeout <= 0 {
		return fmt.Errorf("--retry-base and --authority-timeout must be longer than nothing")
	}
	if err := errors.Join(listens("--addr", s.Addr), s.doorFlags.validate(), s.validateBackups()); err != nil {
		return err
	}
	if s.StandsAfter <= 0 {
		return fmt.Errorf("--stands-after must be longer than nothing")
	}
	if s.OutageCalls < 1 || s.OutageAfter < 0 {
		return fmt.Errorf("--outage-calls is 1 at least, and --outage-after a time")
	}
	if s.RenewAfter < 0 {
		return fmt.Errorf("--renew-after is a time, or 0 for never")
	}
	if err := s.webhookFlags.validate(); err != nil {
		return err
	}
	if _, err := s.mailFlags.server(); err != nil {
		return err
	}
	if err := s.transparencyFlags.validate(); err != nil {
		return err
	}
	if s.DailyReportAfter < 0 || s.DailyReportAfter >= 24*time.Hour {
		return fmt.Errorf("--daily-report-after: %s is not within the next day", s.DailyReportAfter)
	}
	if s.RateLimitSecond < 0 || s.RateLimitMinute < 0 {
		return fmt.Errorf("--rate-limit-second and --rate-limit-minute cannot be negative")
	}
	for name, address := range map[string]string{"--base-url": s.BaseURL, "--authority-url": s.AuthorityURL} {
		if err := isAddress(name, address); address != "" && err != nil {
			return err
		}
	}
	return s.sandboxFlags.Validate()
}

// isAddress refuses what is no whole address of a flag.
func isAddress(flag, address string) error {
	if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%s: %q is not an address like https://folio.example.com", flag, address)
	}
	return nil
}

// usable refuses files of flags that cannot be used, before anything is opened.
func (s serveFlags) usable(logger *slog.Logger) error {
	_, moved := readAddresses(s.AuthorityAddresses)
	_, trust := readTrust(s.Trust)
	_, certificate := s.certificate(logger)
	return errors.Join(moved, trust, certificate)
}

// verifies says whether authorities are asked about purchases.
func (s serveFlags) verifies() bool {
	return s.VerifyPurchases == "always" || s.VerifyPurchases == "auto" && s.Authority == "sandbox"
}

func (s serveFlags) has(role string) bool { return slices.Contains(s.Roles, role) }

// serves says whether documents of an environment are submitted.
func (s serveFlags) serves(e authority.Environment) bool {
	switch s.Authority {
	case "testing":
		return e == authority.Testing
	case "production":
		return e == authority.Production
	}
	return e == authority.Testing || e == authority.Production
}
