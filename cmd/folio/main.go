// Command folio issues electronic tax invoices and reports what each fiscal authority
// says of them. Each subcommand is a file; service.go puts the service together.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"

	"folio/admission"
	"folio/countries"
	"folio/fault"
)

// cli are the subcommands with their flags.
type cli struct {
	Serve   serveCmd   `cmd:"" help:"Run the service until it is told to stop."`
	Demo    demoCmd    `cmd:"" help:"Run the service with a demo company of each country and issue invoices with them."`
	Account accountCmd `cmd:"" help:"Add and disable accounts, set passwords, end sessions."`
	Company companyCmd `cmd:"" help:"List companies, and move one to another account."`
	Key     keyCmd     `cmd:"" help:"List and revoke API keys."`
	History historyCmd `cmd:"" help:"Show every event of an invoice, a company, a series, a purchase or a period, in order."`
	Replay  replayCmd  `cmd:"" help:"Fold the log in memory and show the read models as of a moment."`
	Sandbox sandboxCmd `cmd:"" help:"Make test material that the sandbox trusts."`

	DailyReport  dailyReportCmd  `cmd:"" help:"Have a refused daily report sent again."`
	Contingency  contingencyCmd  `cmd:"" help:"Open, close and list contingencies: documents that are issued while the authority is away (Argentina)."`
	CAEA         caeaCmd         `cmd:"" name:"caea" help:"Look at the codes of contingencies, and what is reported and due (Argentina)."`
	Vault        vaultCmd        `cmd:"" help:"Change the keys that secrets and files are sealed with."`
	Series       seriesCmd       `cmd:"" help:"List, hold and release numbering series, and tell what became of their numbers."`
	Outages      outagesCmd      `cmd:"" help:"List when authorities counted as away for companies, and open or close that by hand."`
	Quarantine   quarantineCmd   `cmd:"" help:"Look at streams of the log that cannot be read, and decide about them."`
	Node         nodeCmd         `cmd:"" help:"Look after the embedded log."`
	Backup       backupCmds      `cmd:"" help:"Copy log, secrets and files together into a folder, beside a running service too; or try such a copy."`
	Restore      restoreCmd      `cmd:"" help:"Make a data folder from a backup."`
	Verify       verifyCmd       `cmd:"" help:"Read the whole log again and hold it against checkpoints, rules, what was sent, and the read models."`
	Notary       notaryCmd       `cmd:"" help:"Look after the transparency log."`
	Projections  projectionsCmd  `cmd:"" help:"Look at read models and rebuild them."`
	Export       exportCmd       `cmd:"" help:"Write the log out for other programs."`
	VerifyExport verifyExportCmd `cmd:"" help:"Hold an export against the log's verifier key, offline."`
	Import       importCmd       `cmd:"" help:"Fill an empty log with the facts of an export."`
	Example      exampleCmd      `cmd:"" help:"Print a complete request of a document type, dated today, or list all examples."`
	Figures      figuresCmd      `cmd:"" help:"Print the figures of the law that are in force on a day."`
	Health       healthCmd       `cmd:"" help:"Ask the service on this machine whether it can do its work: the exit code says so."`
	Version      versionCmd      `cmd:"" help:"Print the version."`
}

// services are the commands that run until they are told to stop.
var services = []string{"serve", "demo"}

const about = `Folio issues electronic tax invoices for companies in ${nations}.

To see it at work: folio demo. Every flag can also be given as an environment variable: --data is FOLIO_DATA.`

// groups are the titles of the flags in the help, in this order.
var groups = []kong.Group{
	{Key: "http", Title: "Service:"},
	{Key: "data", Title: "Where the data is:"},
	{Key: "log", Title: "Log lines, on standard error:"},
	{Key: "node", Title: "The embedded log, for tools that speak to EventStoreDB:"},
	{Key: "authority", Title: "Fiscal authorities:"},
	{Key: "sandbox", Title: "Sandbox, an authority for trials:"},
	{Key: "webhook", Title: "Webhooks:"},
	{Key: "mail", Title: "E-mail:"},
	{Key: "transparency", Title: "Transparency log, which proves that nothing was changed:"},
	{Key: "first", Title: "First account, of an empty service:"},
}

func newParser(ctx context.Context, c *cli, options ...kong.Option) (*kong.Kong, error) {
	c.Sandbox.Plugins = countries.Commands()
	vars := kong.Vars{"countries": strings.ToLower(strings.Join(countries.Codes(), ",")),
		"nations": strings.Join(countries.Names(), ", "), "holders": countries.Holders()}
	return kong.New(c, append(options, vars, kong.Name("folio"), kong.Description(about), kong.ShortUsageOnError(),
		kong.DefaultEnvars(strings.TrimSuffix(envPrefix, "_")), kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.ExplicitGroups(groups), kong.NamedMapper("words", kong.MapperFunc(words)),
		kong.BindTo(ctx, (*context.Context)(nil)))...)
}

// words reads a reason, which is recorded for good and shown in tables: it says something, and on one line.
func words(d *kong.DecodeContext, target reflect.Value) error {
	var text string
	if err := d.Scan.PopValueInto("text", &text); err != nil {
		return err
	}
	if strings.TrimSpace(text) == "" || strings.ContainsFunc(text, unicode.IsControl) {
		return errors.New("say it in a few words on one line")
	}
	target.SetString(text)
	return nil
}

// threads a core run Go code. With one a core, long work of one company (a picture, a
// document) keeps its core for 10 ms at a time, and every step of another's call waits for
// it; with two the kernel lets the short steps go first. Throughput is the same.
const threads = 2

func main() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(threads * admission.Cores())
	}
	runtime.MemProfileRate = 0 // nobody reads the samples, which take a megabyte
	boundMemory()
	ctx := untilStopped()
	var c cli
	parser, err := newParser(ctx, &c)
	if err != nil {
		fmt.Fprintln(os.Stderr, "folio:", err)
		os.Exit(2)
	}
	command, err := parser.Parse(os.Args[1:])
	parser.FatalIfErrorf(hinted(err))
	run, serves := runOf(ctx, command.Selected()), slices.Contains(services, command.Command())
	parser, command = nil, nil // two megabytes, which a service would keep as long as it runs
	code, says := exitCode(ctx, run(), serves)
	if says != "" {
		fmt.Fprintln(os.Stderr, "folio:", says)
	}
	os.Exit(code)
}

// runOf is what a command does: its method Run, with the context if it takes it.
func runOf(ctx context.Context, command *kong.Node) func() error {
	switch c := command.Target.Addr().Interface().(type) {
	case interface{ Run(context.Context) error }:
		return func() error { return c.Run(ctx) }
	case interface{ Run() error }:
		return c.Run
	}
	panic("the command " + command.Name + " does nothing")
}

// explain shows a fault as its own words, without the operations around it.
func explain(err error) string {
	f := fault.As(err)
	switch {
	case f == nil:
	case f.Constant == fault.StoreUnavailable.Constant:
		return databaseAway(err.Error())
	case len(f.Violations) == 0:
		return f.Text
	default:
		lines := make([]string, len(f.Violations))
		for i, v := range f.Violations {
			lines[i] = v.Path + ": " + v.Message
		}
		return strings.Join(lines, "; ")
	}
	return err.Error()
}
