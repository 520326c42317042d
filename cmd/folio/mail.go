package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"time"

	"folio/authority"
	"folio/commands"
	"folio/commands/aggregates"
	"folio/countries"
	"folio/events"
	"folio/fault"
	"folio/mail"
	"folio/papers"
	mailer "folio/processors/mail"
	"folio/projections"
	"folio/tables"
	"folio/writeapi"
)

// mailFlags name the operator's mail server.
type mailFlags struct {
	SMTPHost         string        `group:"mail" name:"smtp-host" help:"Mail server that sends invoices by e-mail. Without one nothing is sent." placeholder:"HOST"`
	SMTPPort         int           `group:"mail" name:"smtp-port" help:"Its port." default:"587"`
	SMTPUser         string        `group:"mail" name:"smtp-user" help:"User to log in as; empty: the server wants none." placeholder:"USER"`
	SMTPPasswordFile string        `group:"mail" name:"smtp-password-file" help:"File that holds the user's password, mode 0600." type:"existingfile" placeholder:"FILE"`
	SMTPFrom         string        `group:"mail" name:"smtp-from" help:"Sender of the messages, such as \"Facturas <facturas@example.com>\"." placeholder:"ADDRESS"`
	SMTPTLS          string        `group:"mail" name:"smtp-tls" help:"How the connection is protected: starttls (the server must offer it), tls from the first byte on (port 465), or none, for a server on the same machine." enum:"starttls,tls,none" default:"starttls"`
	SMTPCA           string        `group:"mail" name:"smtp-ca" help:"PEM file with the authorities that the server's certificate may be of; empty: those of the system." type:"existingfile" placeholder:"FILE"`
	SMTPTimeout      time.Duration `group:"mail" name:"smtp-timeout" help:"Limit of one message." default:"2m"`
	SMTPRetryBase    time.Duration `group:"mail" name:"smtp-retry-base" help:"First pause after a try that failed; later ones grow with it, up to 1440 times." default:"1m"`
}

// server is the mail server; nil without one.
func (f mailFlags) server() (*mail.Server, error) {
	if f.SMTPHost == "" {
		if f.SMTPFrom != "" || f.SMTPUser != "" {
			return nil, errors.New("--smtp-from and --smtp-user need --smtp-host")
		}
		return nil, nil
	}
	if f.SMTPFrom == "" {
		return nil, errors.New("--smtp-host needs --smtp-from, the sender of the messages")
	}
	password, err := orFile("--smtp-password", "", f.SMTPPasswordFile)
	if err != nil {
		return nil, err
	}
	s := &mail.Server{Host: f.SMTPHost, Port: f.SMTPPort, User: f.SMTPUser, Password: password, From: f.SMTPFrom,
		Policy: f.SMTPTLS, Timeout: f.SMTPTimeout}
	if f.SMTPCA != "" {
		pem, err := os.ReadFile(f.SMTPCA)
		if err != nil {
			return nil, fmt.Errorf("--smtp-ca: %w", err)
		}
		if s.Roots = x509.NewCertPool(); !s.Roots.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("--smtp-ca: %s holds no certificate in PEM", f.SMTPCA)
		}
	}
	if f.SMTPTimeout <= 0 || f.SMTPRetryBase <= 0 {
		return nil, errors.New("--smtp-timeout and --smtp-retry-base must be longer than nothing")
	}
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("--smtp-…: %w", err)
	}
	return s, nil
}

// openMail is the configuration of the mail processor; nil without a mail server.
func (s *service) openMail() (*mailer.Config, error) {
	server, err := s.flags.mailFlags.server()
	if server == nil || err != nil {
		return nil, err
	}
	if server.Policy == mail.Plain {
		s.logger.Warn("E-MAILS GO UNENCRYPTED: --smtp-tls none is for a mail server on this machine", "server", server.Host)
	}
	return &mailer.Config{RetryBase: s.flags.SMTPRetryBase,
		Send: func(ctx context.Context, m mailer.Message) (mailer.Sent, error) {
			letter, err := s.letter(ctx, m)
			if err != nil {
				return mailer.Sent{}, err
			}
			sent := mailer.Sent{MessageID: server.MessageID(m.Email)}
			for _, f := range letter.Files {
				sent.Files = append(sent.Files, f.Name)
			}
			err = server.Send(ctx, letter)
			if err == nil || ctx.Err() != nil {
				return sent, errors.Join(err, ctx.Err())
			}
			var refused *mail.Refused
			return sent, &mailer.Refused{Final: errors.As(err, &refused) && refused.Final, Reason: err.Error(),
				Away: errors.As(err, new(*mail.Away))}
		}}, nil
}

// unmade is err as that of a try, unless something that the documents are made of is away, or a read model is behind
// or being built: that is waited for.
func unmade(ctx context.Context, err error) error {
	var refused *fault.Error
	if ctx.Err() != nil || commands.LogAway(err) || errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, new(*events.Trouble)) || errors.As(err, &refused) && refused.Code == fault.Unavailable {
		return err
	}
	return &mailer.Unmade{Err: err}
}

// letter is the message with an accepted invoice: the printed document, and the file that the buyer's law wants.
func (s *service) letter(ctx context.Context, m mailer.Message) (mail.Message, error) {
	out := mail.Message{ID: m.Email, To: m.To, At: m.At}
	reader := projections.NewReader(s.tables, streams{s.executor})
	i, err := reader.GetInvoice(ctx, m.Invoice)
	if err != nil {
		return out, err
	}
	maker := papers.Maker{Countries: countries.Rules(), Files: s.vault}
	rules, err := maker.Rules(i)
	if err != nil {
		return out, unmade(ctx, err)
	}
	form := rules.Form(i.Issued())
	name := papers.PlainName(form.Name)
	document, err := maker.PDF(ctx, i)
	if err != nil {
		return out, unmade(ctx, err)
	}
	out.Subject, out.Text = letterText(i, name)
	out.Files = []mail.File{{Name: name + ".pdf", Type: "application/pdf", Content: document}}
	file, err := s.exchange(ctx, reader, i, m.At)
	if err != nil {
		return out, unmade(ctx, err)
	}
	if file != nil {
		out.Files = append(out.Files, mail.File{Name: file.Name, Type: file.Type, Content: file.Content})
	}
	return out, nil
}

// letterText is what the message says, in Spanish as the documents are.
func letterText(i projections.Invoice, name string) (subject, text string) {
	subject = fmt.Sprintf("%s de %s", name, i.Profile.LegalName)
	text = fmt.Sprintf("%s le envía el documento %s del %s, por %s %s.\n", i.Profile.LegalName, name,
		i.Document.Date[:len(time.DateOnly)], i.Document.Currency.Code, i.Document.Totals.Total)
	if i.Sandbox {
		subject = "[SIN VALOR FISCAL] " + subject
		text += "\nEs un documento de prueba y no tiene valor fiscal.\n"
	}
	return subject, text
}

// exchange is the file that the buyer's law wants; nil where it wants none.
func (s *service) exchange(ctx context.Context, reader *projections.Reader, i projections.Invoice, at time.Time) (
	*authority.File, error,
) {
	rules, ok := countries.ByCode(i.Country)
	if !ok {
		return nil, nil
	}
	driver, ok := s.drivers.find(rules.Authority(), authority.Environment(i.Environment))
	if !ok || driver.Can().Exchanger == nil {
		return nil, nil
	}
	// The submission was opened before anything was recorded of it in the invoice.
	if err := (shown{s.runner}).WaitFor(ctx, projections.Submissions.Name(), i.At); err != nil {
		return nil, err
	}
	submission, err := reader.GetSubmission(ctx, i.Submission)
	if err != nil {
		return nil, err
	}
	sent, err := s.vault.File(ctx, submission.SHA256)
	if err != nil {
		return nil, fmt.Errorf("what submission %s sent: %w", i.Submission, err)
	}
	co, _, err := aggregates.In(s.executor).Companies.Load(ctx, i.Company)
	if err != nil {
		return nil, err
	}
	credential, err := s.credentials.Open(ctx, co, i.Environment, time.Now())
	if err != nil {
		return nil, fmt.Errorf("open the certificate of company %s: %w", i.Company, err)
	}
	doc := authority.Document{Invoice: i.ID, Number: i.Number, Document: i.Document, Taxes: i.Taxes, Profile: i.Profile,
		Fields: co.Profile.Fields, Created: i.CreatedAt}
	return driver.Can().Exchanger.Exchange(credential, doc, sent, at)
}

// mailbox counts what waits to be sent.
type mailbox struct{ list tables.Worklist }

// enoughMail is more than a company may have waiting.
const enoughMail = 101

func (m mailbox) Waiting(ctx context.Context, company string) (own, all int64, err error) {
	items, err := m.list.InGroup(ctx, company, enoughMail)
	if err != nil {
		return 0, 0, err
	}
	all, err = m.list.Count(ctx)
	return int64(len(items)), all, err
}

func (mailbox) Address(text string) bool { return mail.Address(text) }

// mailbox is what the API needs of the mail processor; nil without a mail server.
func (s *service) mailbox() writeapi.Mail {
	if s.flags.SMTPHost == "" {
		return nil
	}
	return mailbox{s.tables.Worklist(mailer.Name)}
}
