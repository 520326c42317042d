// Package aggregates names every kind of aggregate in the log, once, for whoever decides
// about several of them.
package aggregates

import (
	"folio/commands"
	"folio/commands/accesslog"
	"folio/commands/account"
	"folio/commands/apikey"
	"folio/commands/caea"
	"folio/commands/certificate"
	"folio/commands/company"
	"folio/commands/contingency"
	"folio/commands/dailyreport"
	"folio/commands/delivery"
	"folio/commands/idempotency"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/commands/outage"
	"folio/commands/purchase"
	"folio/commands/replay"
	"folio/commands/taxpayer"
	"folio/commands/webhook"
)

// Log is an event log as deciders see it: by aggregates.
type Log struct {
	Accesses      commands.Aggregates[accesslog.State, accesslog.Record]
	Accounts      commands.Aggregates[account.State, account.Command]
	APIKeys       commands.Aggregates[apikey.State, apikey.Command]
	Certificates  commands.Aggregates[certificate.State, certificate.NoticeExpiry]
	Companies     commands.Aggregates[company.State, company.Command]
	DailyReports  commands.Aggregates[dailyreport.State, dailyreport.Command]
	Deliveries    commands.Aggregates[delivery.State, delivery.Command]
	Documents     commands.Aggregates[invoice.Full, invoice.FullCommand]
	Idempotency   commands.Aggregates[idempotency.State, idempotency.Command]
	Invoices      commands.Aggregates[invoice.State, invoice.Command]
	Numbering     commands.Aggregates[numbering.State, numbering.Command]
	Outages       commands.Aggregates[outage.State, outage.Command]
	Purchases     commands.Aggregates[purchase.State, purchase.Receive]
	Replays       commands.Aggregates[replay.State, replay.Command]
	Taxpayers     commands.Aggregates[taxpayer.State, taxpayer.Command]
	Webhooks      commands.Aggregates[webhook.State, webhook.Command]
	CAEAs         commands.Aggregates[caea.State, caea.Command]
	Contingencies commands.Aggregates[contingency.State, contingency.Command]
}

// In is the log of an executor.
func In(x *commands.Executor) Log {
	return Log{
		Accesses:      commands.Bind(x, accesslog.Decider),
		Accounts:      commands.Bind(x, account.Decider),
		APIKeys:       commands.Bind(x, apikey.Decider),
		Certificates:  commands.Bind(x, certificate.Decider),
		Companies:     commands.Bind(x, company.Decider),
		DailyReports:  commands.Bind(x, dailyreport.Decider),
		Deliveries:    commands.Bind(x, delivery.Decider),
		Documents:     commands.Bind(x, invoice.FullDecider),
		Idempotency:   commands.Bind(x, idempotency.Decider),
		Invoices:      commands.Bind(x, invoice.Decider),
		Numbering:     commands.Bind(x, numbering.Decider),
		Outages:       commands.Bind(x, outage.Decider),
		Purchases:     commands.Bind(x, purchase.Decider),
		Replays:       commands.Bind(x, replay.Decider),
		Taxpayers:     commands.Bind(x, taxpayer.Decider),
		Webhooks:      commands.Bind(x, webhook.Decider),
		CAEAs:         commands.Bind(x, caea.Decider),
		Contingencies: commands.Bind(x, contingency.Decider),
	}
}
