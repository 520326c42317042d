package mail_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"math/big"
	"net"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"folio/mail"
)

const password = "s3cret-of-the-operator"

// post is a mail server that keeps what it takes. Each refusal is said once, at the command that it is of.
type post struct {
	mu      sync.Mutex
	refuse  map[string]*smtp.SMTPError // by command
	hang    chan struct{}              // closed: it answers
	taken   []string
	to      []string
	secured []bool
}

func (p *post) at(command string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.refuse[command]; e != nil {
		return e
	}
	return nil
}

// NewSession implements smtp.Backend.
func (p *post) NewSession(c *smtp.Conn) (smtp.Session, error) {
	_, secured := c.TLSConnectionState()
	return &session{p, secured}, nil
}

type session struct {
	*post
	tls bool
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }
func (s *session) Mail(string, *smtp.MailOptions) error {
	if s.hang != nil {
		<-s.hang
	}
	return s.at("MAIL")
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if err := s.at("RCPT"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to = append(s.to, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	content, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := s.at("DATA"); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken, s.secured = append(s.taken, string(content)), append(s.secured, s.tls)
	return nil
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }
func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, given string) error {
		if user != "folio" || given != password {
			return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "no: " + given}
		}
		return nil
	}), nil
}

// start serves p on loopback; the server it gives reaches it.
func start(t *testing.T, p *post, policy string) mail.Server {
	t.Helper()
	certificate, roots := certificateOf(t)
	s := smtp.NewServer(p)
	s.Domain, s.AllowInsecureAuth = "localhost", true
	config := &tls.Config{Certificates: []tls.Certificate{certificate}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	switch policy {
	case mail.STARTTLS:
		s.TLSConfig = config
	case mail.TLS:
		l = tls.NewListener(l, config)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(l) // it ends when the server is closed
	}()
	t.Cleanup(func() {
		_ = s.Close()
		<-done
	})
	return mail.Server{Host: "127.0.0.1", Port: port, From: "Facturación <facturas@emisor.example>", Policy: policy,
		Roots: roots, Timeout: time.Minute}
}

func certificateOf(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mail"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, of, of, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}

var letter = mail.Message{ID: "01KJQ8T0000000000000000000", To: "compras@cliente.example",
	Subject: "FCA-0005-00000042 de Muñoz\r\nBcc: x@evil.example", Text: "Adjunto.\n.\nFin\n",
	At:    time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC),
	Files: []mail.File{{Name: "FCA.pdf", Type: "application/pdf", Content: []byte("%PDF-1.4 ñ")}}}

func TestAMessageIsHandedOver(t *testing.T) {
	for _, policy := range []string{mail.STARTTLS, mail.TLS, mail.Plain} {
		t.Run(policy, func(t *testing.T) {
			p := &post{}
			s := start(t, p, policy)
			if policy != mail.Plain {
				s.User, s.Password = "folio", password
			}
			if err := s.Validate(); err != nil {
				t.Fatal(err)
			}
			for range 2 { // as after a crash
				if err := s.Send(t.Context(), letter); err != nil {
					t.Fatal(err)
				}
			}
			if len(p.taken) != 2 || p.secured[0] != (policy != mail.Plain) || p.to[0] != letter.To {
				t.Fatalf("%d messages, secured %v, to %v", len(p.taken), p.secured, p.to)
			}
			for _, text := range p.taken {
				m, err := netmail.ReadMessage(strings.NewReader(text))
				if err != nil {
					t.Fatal(err)
				}
				if got := m.Header.Get("Message-ID"); got != "<01KJQ8T0000000000000000000@emisor.example>" {
					t.Errorf("Message-ID %s", got)
				}
				if m.Header.Get("Bcc") != "" || !strings.HasPrefix(m.Header.Get("Date"), "Fri, 27 Nov 2026 15:00:00") ||
					strings.Contains(text, password) {
					t.Errorf("%s", text)
				}
			}
		})
	}
}

func TestWhatTheServerSaysDecides(t *testing.T) {
	for _, c := range []struct {
		command string
		code    int
		refused bool // the message, not us
		final   bool
	}{
		{"MAIL", 451, false, false}, {"MAIL", 550, false, false},
		{"RCPT", 450, true, false}, {"RCPT", 550, true, true},
		{"DATA", 452, true, false}, {"DATA", 554, true, true},
	} {
		p := &post{refuse: map[string]*smtp.SMTPError{c.command: {Code: c.code,
			EnhancedCode: smtp.EnhancedCode{c.code / 100, 1, 1}, Message: "said by the server"}}}
		err := start(t, p, mail.Plain).Send(t.Context(), letter)
		var refused *mail.Refused
		if errors.As(err, &refused) != c.refused || errors.As(err, new(*mail.Away)) == c.refused ||
			c.refused && refused.Final != c.final || !strings.Contains(err.Error(), "said by the server") ||
			len(p.taken) != 0 {
			t.Errorf("%s %d: %v, final %v", c.command, c.code, err, refused)
		}
	}
}

// None of these is the message's fault, so none ends it.
func TestAServerThatIsNotReachedIsNoRefusal(t *testing.T) {
	hanging := &post{hang: make(chan struct{})}
	defer close(hanging.hang)
	hangs := start(t, hanging, mail.Plain)
	hangs.Timeout = 300 * time.Millisecond
	wrong := start(t, &post{}, mail.STARTTLS)
	wrong.User, wrong.Password = "folio", "another "+password
	stranger := start(t, &post{}, mail.STARTTLS)
	stranger.Roots = nil
	bare := start(t, &post{}, mail.Plain)
	bare.Policy = mail.STARTTLS
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := mail.Server{Host: "127.0.0.1", Port: l.Addr().(*net.TCPAddr).Port, From: "a@b.example", Policy: mail.Plain,
		Timeout: time.Minute}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]mail.Server{"hangs": hangs, "wrong password": wrong, "unknown authority": stranger,
		"no STARTTLS": bare, "nobody there": closed} {
		err := s.Send(t.Context(), letter)
		var refused *mail.Refused
		if errors.As(err, &refused) || !errors.As(err, new(*mail.Away)) || strings.Contains(err.Error(), password) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSendingEndsWithItsContext(t *testing.T) {
	p := &post{hang: make(chan struct{})}
	defer close(p.hang)
	s := start(t, p, mail.Plain)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := s.Send(ctx, letter); err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Error(err)
	}
}

func TestAddresses(t *testing.T) {
	for _, good := range []string{"a@b.uy", "compras+dte@sub.cliente.com.ar", "o'higgins@a-b.cl", "ana.b.c@x.com"} {
		if !mail.Address(good) {
			t.Errorf("%s is refused", good)
		}
	}
	for _, bad := range []string{"", "a", "a@b", "a b@c.cl", "a@b.cl\r\nRCPT TO:<x@y.cl>", "a@b.cl\n", "<a@b.cl>",
		"Ana <a@b.cl>", "a@b.cl,c@d.cl", "a@[127.0.0.1]", "a@-b.cl", "ñ@b.cl", "\"a\"@b.cl", "a@b..cl",
		"a..b@x.com", ".a@x.com", "a.@x.com",
		strings.Repeat("a", 65) + "@b.cl", "a@" + strings.Repeat("b.", 130) + "cl"} {
		if mail.Address(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

func FuzzAddress(f *testing.F) {
	f.Add("a@b.cl")
	f.Add("a@b.cl\r\nBcc: x@y.cl")
	f.Fuzz(func(t *testing.T, text string) {
		if mail.Address(text) && (strings.ContainsAny(text, "\r\n\t <>,;:\"\\") || strings.Count(text, "@") != 1) {
			t.Errorf("%q", text)
		}
	})
}

func TestSettingsThatCannotWork(t *testing.T) {
	good := mail.Server{Host: "h", Port: 587, From: "a@b.example", Policy: mail.STARTTLS}
	for name, change := range map[string]func(*mail.Server){
		"no sender":           func(s *mail.Server) { s.From = "" },
		"a sender's header":   func(s *mail.Server) { s.From = "a@b.example\r\nBcc: c@d.example" },
		"no port":             func(s *mail.Server) { s.Port = 0 },
		"a user alone":        func(s *mail.Server) { s.User = "u" },
		"a password in clear": func(s *mail.Server) { s.User, s.Password, s.Policy = "u", "p", mail.Plain },
		"another policy":      func(s *mail.Server) { s.Policy = "maybe" },
	} {
		s := good
		if change(&s); s.Validate() == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
}
