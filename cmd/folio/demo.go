package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"example.com/folio/client"

	"folio/countries"
)

type demoCmd struct{ serveFlags }

// demoAccess is what the demo keeps so that it can be run again on the same data. It
// opens nothing but the demo company, whose documents have no fiscal value.
type demoAccess struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Company  string `json:"id_company"`
	Key      string `json:"api_key"`
	Day      string `json:"day"` // of the invoices: the same bodies at every run

	// Others are the demo's companies of other countries, by country code.
	Others map[string]demoOther `json:"others,omitempty"`
}

// demoOther is a company of another country.
type demoOther struct {
	Company string `json:"id_company"`
	Key     string `json:"api_key"`
	Day     string `json:"day"`
}

// Run serves, and meanwhile does with the demo company what a newcomer would do.
func (c *demoCmd) Run(ctx context.Context) error {
	if c.Authority != "sandbox" {
		return errors.New("the demo issues invoices: it only runs with --authority sandbox")
	}
	c.LogLevel = "error" // what the demo has to say should not drown in log lines
	s, err := newService(ctx, c.serveFlags, c.logger())
	if err != nil {
		return err
	}
	dir := filepath.Join(c.Data, "demo")
	a, err := loadDemo(dir)
	if err == nil {
		err = s.bootstrapDemo(ctx, a)
	}
	if err != nil {
		return errors.Join(err, s.close(ctx))
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	err = s.run(ctx, func() {
		fmt.Printf("listening on %s\n", s.address)
		if s.node != nil && s.node.Network() != nil {
			fmt.Printf("EventStoreDB clients reach the log at esdb://%s?tls=%t\n", s.node.Network(),
				s.flags.network.CertFile != "")
		}
		go func() {
			if err := demo(ctx, s, dir, a); err != nil && ctx.Err() == nil {
				stop(fmt.Errorf("the demo failed: %w", err))
			}
		}()
	})
	return errors.Join(err, demoFault(ctx))
}

func demoFault(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != nil && stoppedBy(ctx) == 0 && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

func demoFile(dir string) string { return filepath.Join(dir, "access.json") }

func loadDemo(dir string) (*demoAccess, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the demo's folder: %w", err)
	}
	content, err := os.ReadFile(demoFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		a := &demoAccess{Email: "demo@folio.example", Password: rand.Text(),
			Day: time.Now().In(time.FixedZone("-03", -3*60*60)).Format(time.DateOnly)}
		return a, a.save(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("read the demo's access: %w", err)
	}
	var a demoAccess
	if err := json.Unmarshal(content, &a); err != nil {
		return nil, fmt.Errorf("%s is damaged; delete it together with the data folder to start over: %w", demoFile(dir), err)
	}
	return &a, nil
}

func (a *demoAccess) save(dir string) error {
	content, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(demoFile(dir), append(content, '\n'), 0o600); err != nil {
		return fmt.Errorf("keep the demo's access: %w", err)
	}
	return nil
}

func (s *service) bootstrapDemo(ctx context.Context, a *demoAccess) error {
	_, err := s.accounts.Register(ctx, a.Email, a.Password, "folio demo")
	switch {
	case err != nil && !isExisting(err):
		return fmt.Errorf("make the demo account: %w", err)
	case err != nil && a.Key == "":
		return fmt.Errorf("the data folder %s has a demo account whose password is gone (%s): name another folder with --data", relative(s.flags.Data), relative(demoFile(filepath.Join(s.flags.Data, "demo"))))
	}
	return nil
}

// demo sets the company up the first time and issues its three invoices; run again, it
// finds them by their Idempotency-Keys.
func demo(ctx context.Context, s *service, dir string, a *demoAccess) error {
	c := integrator{client.Client{Base: s.address, Key: a.Key}, a}
	if a.Key == "" {
		if err := c.setUp(ctx, s, dir); err != nil {
			return err
		}
	}
	fmt.Println("\nThree invoices of the demo company, issued through the sandbox (SIN VALOR FISCAL):")
	var last string
	for i, body := range demoInvoices(a.Day) {
		inv, err := c.issue(ctx, fmt.Sprintf("demo-%d", i+1), body)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, inv.InvoiceType+"-"+inv.Number+".pdf")
		if err := c.download(ctx, inv.ID, file); err != nil {
			return err
		}
		fmt.Printf("  %s %s  CAE %s  total %s  %s\n", inv.InvoiceType, inv.Number, inv.Authorization.Code, inv.Totals.Total,
			relative(file))
		last = inv.ID
	}
	for _, other := range countries.All {
		if other.Demo == nil {
			continue
		}
		if err := issueIn(ctx, s, other, dir, a); err != nil {
			return err
		}
	}
	fmt.Printf(demoNext, a.Key, s.address, s.address, s.address, last, s.address, last, relative(s.flags.Data), last,
		s.address, relative(demoFile(dir)))
	return nil
}

const demoNext = `
Try next, in another terminal:

  KEY=%s
  curl -s %s/api/document-types
  curl -s -H "x-api-key: $KEY" "%s/api/invoices?per_page=2"
  curl -s -H "x-api-key: $KEY" %s/api/invoices/%s
  curl -s -X POST -H "x-api-key: $KEY" -o invoice.pdf %s/api/invoices/%s/download-pdf/A4
  go run ./cmd/folio history --data %s %s

Or look: open %s/console and log in with e-mail and password of %s,
which has the company and its key, too.
docs/quickstart.md walks through the whole API. Stop the service with Ctrl-C.
`

// relative shortens a path to the working directory where that is possible.
func relative(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	r, err := filepath.Rel(wd, path)
	if err != nil || len(r) > len(path) {
		return path
	}
	return r
}
