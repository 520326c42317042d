package e2e

import (
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/mail"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"folio/country"
	"folio/country/cl"
	"folio/country/uy"
)

// postOffice is a mail server on loopback that keeps what it takes, and refuses the recipients that it is told to.
type postOffice struct {
	mu     sync.Mutex
	refuse map[string][]*smtp.SMTPError // by recipient; used up one by one
	closed bool                         // it takes nothing for now
	taken  []string
}

// closes has it refuse everybody for now; opens ends that.
func (p *postOffice) closes() { p.set(true) }
func (p *postOffice) opens()  { p.set(false) }

func (p *postOffice) set(closed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = closed
}

// NewSession implements smtp.Backend.
func (p *postOffice) NewSession(*smtp.Conn) (smtp.Session, error) { return &counter{p}, nil }

// counter is where one message is handed in.
type counter struct{ *postOffice }

func (c *counter) Reset()                               {}
func (c *counter) Logout() error                        { return nil }
func (c *counter) Mail(string, *smtp.MailOptions) error { return nil }

func (c *counter) Rcpt(to string, _ *smtp.RcptOptions) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 2}, Message: "Closed"}
	}
	if said := c.refuse[to]; len(said) > 0 {
		c.refuse[to] = said[1:]
		return said[0]
	}
	return nil
}

func (c *counter) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken = append(c.taken, string(text))
	return nil
}

// open serves it; flags make a service use it.
func (p *postOffice) open(t testing.TB) (flags []string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, done := smtp.NewServer(p), make(chan struct{})
	s.Domain = "localhost"
	go func() {
		defer close(done)
		_ = s.Serve(l) // it ends when the server is closed
	}()
	t.Cleanup(func() {
		_ = s.Close()
		<-done
	})
	return []string{"--smtp-host", "127.0.0.1", "--smtp-port", strconv.Itoa(l.Addr().(*net.TCPAddr).Port),
		"--smtp-tls", "none", "--smtp-from", "Facturas <facturas@emisor.example>", "--smtp-retry-base", "100ms"}
}

// files are the attachments of a message that was taken, by name, and its id.
func (p *postOffice) files(t testing.TB, to string) (files map[string][]byte, id string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, text := range p.taken {
		m, err := mail.ReadMessage(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if m.Header.Get("To") != "<"+to+">" {
			continue
		}
		if files != nil {
			t.Errorf("%s got two messages", to)
		}
		id, files = m.Header.Get("Message-ID"), map[string][]byte{}
		_, of, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
		if err != nil {
			t.Fatal(err)
		}
		parts := multipart.NewReader(m.Body, of["boundary"])
		for part, err := parts.NextPart(); err != io.EOF; part, err = parts.NextPart() {
			if err != nil {
				t.Fatal(err)
			}
			if part.FileName() == "" {
				continue
			}
			content, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, part))
			if err != nil {
				t.Fatal(err)
			}
			files[part.FileName()] = content
		}
	}
	return files, id
}

// emails are the messages of an invoice as the service tells of them.
type emails struct {
	Data []struct {
		ID        string  `json:"id"`
		Status    string  `json:"status"`
		Tries     int     `json:"tries"`
		Reason    *string `json:"reason"`
		MessageID *string `json:"message_id"`
	} `json:"data"`
}

// mailed waits until so many messages of an invoice are over.
func (c company) mailed(t testing.TB, id string, n int) (out emails) {
	t.Helper()
	eventually(t, 2*time.Minute, "messages come to their end", func() (string, bool) {
		out = get[emails](t, c.client, "/api/invoices/"+id+"/emails")
		over := 0
		for _, m := range out.Data {
			if m.Status == "Sent" || m.Status == "Failed" {
				over++
			}
		}
		return fmt.Sprintf("%+v", out), over == n
	})
	return out
}

func TestAnInvoiceIsSentByEmail(t *testing.T) {
	t.Parallel()
	dir, office := t.TempDir(), &postOffice{refuse: map[string][]*smtp.SMTPError{
		"nobody@b.example": {{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "No such user here"}},
		"busy@b.example":   {{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 2}, Message: "Later"}}}}
	flags := office.open(t)
	p := serve(t, dir, append(append([]string{"--retry-base", "100ms"}, unlimited...), flags...)...)
	c := issuing(t, p, dir, 1)
	i := c.accepted(t, c.post(t, body("FCA", 5, "mailed")).ID)
	path := "/api/invoices/" + i.ID + "/email"
	keyed := c.with("Idempotency-Key", "once")
	first := keyed.want(t, http.StatusAccepted, "POST", path, map[string]any{"to": "a@b.example"})
	again := keyed.want(t, http.StatusAccepted, "POST", path, map[string]any{"to": "a@b.example"})
	if string(first.body) != string(again.body) || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("%s, then %s", first.body, again.body)
	}
	for _, to := range []string{"nobody@b.example", "busy@b.example"} {
		c.want(t, http.StatusAccepted, "POST", path, map[string]any{"to": to})
	}
	got := c.mailed(t, i.ID, 3)
	if m := got.Data; m[0].Status != "Sent" || m[0].Tries != 1 || m[1].Status != "Failed" ||
		!strings.Contains(*m[1].Reason, "No such user here") || m[2].Status != "Sent" || m[2].Tries != 2 {
		t.Errorf("%+v", got)
	}
	files, id := office.files(t, "a@b.example")
	pdf := c.pdf(t, "GET", i.ID, pdfPaths[0])
	if len(files) != 1 || id != "<"+*got.Data[0].MessageID+">" {
		t.Errorf("message %s has %d files", id, len(files))
	}
	for name, content := range files {
		if !strings.HasSuffix(name, ".pdf") || string(content) != string(pdf) {
			t.Errorf("%s is not the PDF that is downloaded", name)
		}
	}
	story := string(c.want(t, http.StatusOK, "GET", "/api/invoices/"+i.ID+"/explain", nil).body)
	if !strings.Contains(story, "Somebody asked for it to be sent to a@b.example.") ||
		!strings.Contains(story, "The mail server took the message") {
		t.Errorf("the story: %s", story)
	}
	for _, bad := range []string{"", "a", "a@b.example\r\nBcc: x@y.example", "Ana <a@b.example>"} {
		c.want(t, http.StatusUnprocessableEntity, "POST", path, map[string]any{"to": bad})
	}
	c.refused(t, http.StatusNotFound, "INVOICE_NOT_FOUND", "POST", "/api/invoices/01KJQ8T0000000000000000000/email",
		map[string]any{"to": "a@b.example"})
	p.stop(t)
	p = serve(t, dir)
	c.base = p.base
	c.refused(t, http.StatusConflict, "EMAIL_NOT_SET_UP", "POST", path, map[string]any{"to": "a@b.example"})
	p.stop(t)
}

// A buyer's company receives the signed document in the envelope of its law; a consumer the PDF alone.
func TestABuyerReceivesTheSignedFile(t *testing.T) {
	t.Parallel()
	read := map[string]func([]byte) (country.Purchase, error){
		"Chile":   func(x []byte) (country.Purchase, error) { return cl.Rules{}.ReadPurchaseXML(x, country.Trust{}) },
		"Uruguay": func(x []byte) (country.Purchase, error) { return uy.Rules{}.ReadPurchaseXML(x, country.Trust{}) },
	}
	eachNation(t, func(t *testing.T, n nation) {
		dir, office := t.TempDir(), &postOffice{}
		p := serve(t, dir, append(append([]string{"--retry-base", "100ms"}, unlimited...), office.open(t)...)...)
		c := n.company(t, p, dir)
		c.certifyWith(t, certificate(t, dir, n.holder[0], n.holder[1], certificateDays))
		for k, code := range n.kinds[:2] {
			n.number(t, c, dir, code, 1, 100)
			i := c.post(t, n.body(code, k))
			c.settle(t, verdictLimit)
			to := fmt.Sprintf("buyer%d@b.example", k)
			c.want(t, http.StatusAccepted, "POST", "/api/invoices/"+i.ID+"/email", map[string]any{"to": to})
			c.mailed(t, i.ID, 1)
			files, _ := office.files(t, to)
			if len(files) != 2-k {
				t.Fatalf("%s: %d files", i, len(files))
			}
			for name, content := range files {
				if strings.HasSuffix(name, ".pdf") {
					continue
				}
				if bought, err := read[n.name](content); err != nil || bought.OfficialCode != code {
					t.Errorf("%s: %+v, %v", name, bought, err)
				}
			}
		}
		p.stop(t)
	})
}
