package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// healthCmd asks a service on this machine how it is, for containers without a shell. Its flags
// are those of serve, so that the same environment fits both.
type healthCmd struct {
	Addr    string        `help:"Address that the service listens on." default:"127.0.0.1:8080"`
	TLSCert string        `name:"tls-cert" help:"Given when the service speaks HTTPS; the file is not read." placeholder:"FILE"`
	Live    bool          `help:"Ask only whether the process lives (/healthz), not whether it can do its work (/readyz)."`
	Within  time.Duration `help:"How long the answer may take." default:"3s"`
}

// Run ends with 0 if the service is well, with 1 if it is not or does not answer. What is wrong is told in both cases.
func (c *healthCmd) Run(ctx context.Context) error {
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil || port == "0" {
		return fmt.Errorf("--addr: %q is not the address of a service, as 127.0.0.1:8080", c.Addr)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	scheme, path := "http", "/readyz"
	if c.TLSCert != "" {
		scheme = "https"
	}
	if c.Live {
		path = "/healthz"
	}
	ctx, stop := context.WithTimeout(ctx, c.Within)
	defer stop()
	address := scheme + "://" + net.JoinHostPort(host, port) + path
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	// The certificate names the service as others call it. Nothing is sent that is secret.
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DisableKeepAlives: true}}
	answer, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("the service does not answer: %w: start it, or name with --addr where it listens", err)
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return fmt.Errorf("the service does not answer: %w", err)
	}
	var body readiness
	if !c.Live {
		if err := json.Unmarshal(text, &body); err != nil {
			return fmt.Errorf("%s is no service of Folio's: %w", address, err)
		}
		text = []byte(body.Status)
	}
	says := strings.Join(append([]string{strings.TrimSpace(string(text))}, body.troubles()...), "\n  ")
	if answer.StatusCode != http.StatusOK {
		if !c.Live && body.Log.State == "" {
			says += "; the details are at --admin-addr of the service"
		}
		return fmt.Errorf("%s: %d %s", address, answer.StatusCode, says)
	}
	fmt.Println(says)
	return nil
}
