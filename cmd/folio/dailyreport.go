package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/commands/dailyreport"
	"folio/events"
)

type dailyReportCmd struct {
	Retry dailyReportRetryCmd `cmd:"" help:"Have a refused daily report made and sent again, once its cause is gone."`
}

type dailyReportRetryCmd struct {
	dataFlags
	Company     string `arg:"" help:"Id of the company."`
	Environment string `arg:"" help:"Production or Testing." enum:"Production,Testing"`
	Date        string `arg:"" help:"Day of the report, YYYY-MM-DD."`
	Sequence    int    `help:"Sequence to send it under (SecEnvio), where the authority insists on one; 0: behind the last accepted one."`
	Reason      string `help:"What you found." required:"" type:"words"`
}

// Run works beside a running service and without one.
func (c *dailyReportRetryCmd) Run(ctx context.Context) error {
	if _, err := time.Parse(time.DateOnly, c.Date); err != nil {
		return fmt.Errorf("%.40q is no day like 2026-11-27", c.Date)
	}
	if c.Sequence < 0 {
		return errors.New("--sequence cannot be negative")
	}
	s, err := openExisting(ctx, c.dataFlags)
	if err != nil {
		return err
	}
	out, err := commands.Bind(commands.NewExecutor(s.log, time.Now), dailyreport.Decider).Execute(ctx,
		dailyreport.ID(c.Company, c.Environment, c.Date),
		dailyreport.Request{Request: events.DailyReportRequested{Company: c.Company, Environment: c.Environment, Date: c.Date,
			Sequence: c.Sequence, Reason: c.Reason}},
		commands.Request{ID: commands.Derived("folio daily-report", ulid.Make().String()), Actor: "folio daily-report",
			At: time.Now()})
	if err == nil {
		done := "is sent again"
		if len(out.Events) == 0 {
			done = "was asked for already"
		}
		fmt.Printf("the report of %s %s\n", c.Date, done)
	}
	return errors.Join(err, s.close(ctx))
}
