// Package mail hands messages with files to an operator's mail server (SMTP, RFC 5321), over one connection each.
package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"regexp"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// How the connection is protected.
const (
	STARTTLS = "starttls" // it must be upgraded (RFC 3207) before anything is said
	TLS      = "tls"      // from the first byte on (RFC 8314)
	Plain    = "none"     // not at all: for a server on the same machine
)

// Server is the operator's mail server and what it is told of us.
type Server struct {
	Host           string
	Port           int
	User, Password string // empty: it wants none
	From           string // "Facturación <facturas@example.com>", or the address alone
	Policy         string // STARTTLS, TLS or Plain
	// Roots are the authorities that its certificate may be of; nil: those of the system.
	Roots *x509.CertPool
	// Timeout bounds one message, from the first packet to the server's last word.
	Timeout time.Duration
}

// Message is one to one recipient.
type Message struct {
	// ID names it in its header Message-ID, before the @ of the sender's domain: a message that is sent twice is one to
	// the receiver.
	ID      string
	To      string // an address that Address takes
	Subject string
	Text    string
	At      time.Time // its header Date
	Files   []File
}

// File is attached to a message.
type File struct {
	Name, Type string // Type is a content type
	Content    []byte
}

// Refused is an answer of the server. Final says that asking again is of no use (RFC 5321, 4.2.1: 5yz).
type Refused struct {
	Final bool
	Text  string
}

// Error is what the server said.
func (e *Refused) Error() string { return e.Text }

// Away says that the server was not reached, could not be trusted, or let neither us in nor our sender send: no message
// is at fault, and the text names no recipient.
type Away struct{ Text string }

// Error is why.
func (e *Away) Error() string { return e.Text }

// address is that of HTML's input type=email, which has no comments, quotes and literals: nothing in it could end a
// header or a command. It takes dots anywhere before the @, which RFC 5322 and mail servers do not.
var address = regexp.MustCompile("^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@" +
	"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$")

// Address says whether text is an address that messages go to: ASCII, with a domain of at least two parts.
func Address(text string) bool {
	if len(text) > 254 || !address.MatchString(text) {
		return false
	}
	parsed, err := netmail.ParseAddress(text)
	return err == nil && parsed.Address == text
}

// Validate refuses settings that cannot work.
func (s Server) Validate() error {
	from, err := netmail.ParseAddress(s.From)
	switch {
	case err != nil || !Address(from.Address):
		return fmt.Errorf("%.80q is no sender like \"Facturas <facturas@example.com>\"", s.From)
	case s.Port < 1 || s.Port > 65535:
		return fmt.Errorf("%d is no port", s.Port)
	case (s.User == "") != (s.Password == ""):
		return errors.New("user and password go together")
	case s.Policy != STARTTLS && s.Policy != TLS && s.Policy != Plain:
		return fmt.Errorf("%.20q is none of %s, %s and %s", s.Policy, STARTTLS, TLS, Plain)
	case s.Policy == Plain && s.Password != "":
		return errors.New("a password is not sent over a connection that anybody can read: use starttls or tls")
	}
	return nil
}

// MessageID is the identity of a message to its receiver, without angle brackets.
func (s Server) MessageID(id string) string {
	from, err := netmail.ParseAddress(s.From)
	if err != nil {
		return id // Validate refused it
	}
	return id + from.Address[strings.LastIndexByte(from.Address, '@'):]
}

// Send hands the message over. A *Refused is the server's answer to it, an *Away says that no message would have gone;
// any other error is a connection that broke. No error quotes the password.
func (s Server) Send(ctx context.Context, m Message) error {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	client, err := s.client(ctx)
	if err != nil {
		return s.discreet(err)
	}
	msg, err := s.write(m)
	if err != nil {
		return s.discreet(err)
	}
	if err := client.DialWithContext(ctx); err != nil {
		return &Away{s.discreet(errors.Join(err, ctx.Err())).Error()}
	}
	err = client.Send(msg)
	if msg.IsDelivered() {
		_ = client.Close() // the server has the message: how it says good-bye changes nothing
		return nil
	}
	_ = client.Close() // err says more
	if err == nil {
		err = errors.New("the mail server did not say that it took the message")
	}
	var said *gomail.SendError
	if errors.As(err, &said) {
		text, _, _ := strings.Cut(s.discreet(err).Error(), ", affected ") // what follows is known: to whom, and which
		switch {
		case said.Reason == gomail.ErrSMTPMailFrom: // the operator's to put right, not the message's end
			return &Away{s.discreet(errors.Join(errors.New(text), ctx.Err())).Error()}
		case said.ErrorCode() >= 400:
			return &Refused{Final: said.ErrorCode() >= 500, Text: text}
		}
	}
	return s.discreet(errors.Join(err, ctx.Err()))
}

// client is one whose connection ends with ctx, whatever it waits for.
func (s Server) client(ctx context.Context) (*gomail.Client, error) {
	config := &tls.Config{ServerName: s.Host, RootCAs: s.Roots, MinVersion: tls.VersionTLS12}
	options := []gomail.Option{gomail.WithPort(s.Port), gomail.WithTimeout(s.Timeout), gomail.WithTLSConfig(config),
		gomail.WithTLSPolicy(gomail.TLSMandatory), gomail.WithoutNoop(), gomail.WithDialContextFunc(func(
			dialing context.Context, network, address string) (net.Conn, error) {
			c, err := (&net.Dialer{}).DialContext(dialing, network, address)
			if err != nil {
				return nil, err
			}
			context.AfterFunc(ctx, func() { _ = c.Close() }) // its reader hears of it
			if s.Policy == TLS {
				return tls.Client(c, config), nil
			}
			return c, nil
		})}
	switch s.Policy {
	case TLS: // the library finds the connection encrypted: there is nothing to upgrade
		options = append(options, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	case Plain:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	}
	if s.User != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(s.User),
			gomail.WithPassword(s.Password))
	}
	return gomail.NewClient(s.Host, options...)
}

// write is the message as it goes out, the same bytes each time but for the boundaries between its parts.
func (s Server) write(m Message) (*gomail.Msg, error) {
	if !Address(m.To) {
		return nil, &Refused{Final: true, Text: "the recipient is no address"}
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := errors.Join(msg.From(s.From), msg.To(m.To)); err != nil {
		return nil, err
	}
	msg.SetMessageIDWithValue(s.MessageID(m.ID))
	msg.SetDateWithValue(m.At)
	msg.Subject(oneLine(m.Subject))
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	for _, f := range m.Files {
		err := msg.AttachReader(oneLine(f.Name), strings.NewReader(string(f.Content)),
			gomail.WithFileContentType(gomail.ContentType(f.Type)))
		if err != nil {
			return nil, fmt.Errorf("attach %s: %w", f.Name, err)
		}
	}
	return msg, nil
}

// oneLine has no control characters, so that no header has a second line.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}

// longest bounds what is kept of an error.
const longest = 500

// discreet is an error as it may be kept: clipped, in one line, without the password.
func (s Server) discreet(err error) error {
	var refused *Refused
	if errors.As(err, &refused) {
		return err
	}
	text := oneLine(strings.ToValidUTF8(err.Error(), "?"))
	if s.Password != "" {
		text = strings.ReplaceAll(text, s.Password, "***")
	}
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "..."
	}
	return errors.New(text)
}
