package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"sync"
	"time"

	"example.com/folio/client"
)

// outstanding is how many requests an attacker leaves unanswered at most.
const outstanding = 32

// attack is what a neighbour asks for, as often as its limit allows.
type attack struct {
	name, about string
	request     func(ctx context.Context, n int) (*http.Request, error)
}

// beside runs the victim while the attack goes on. What the attacker is answered does not
// matter; the attack ends with the victim's slice.
func (a attack) beside(victim func(context.Context, time.Duration) (sample, error)) func(context.Context,
	time.Duration) (sample, error) {
	return func(ctx context.Context, d time.Duration) (sample, error) {
		attacking, stop := context.WithCancel(ctx)
		var all sync.WaitGroup
		all.Go(func() { a.run(attacking) })
		s, err := victim(ctx, d)
		stop()
		all.Wait()
		return s, err
	}
}

func (a attack) run(ctx context.Context) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: outstanding}}
	defer client.CloseIdleConnections()
	places := make(chan struct{}, outstanding)
	tick := time.NewTicker(time.Second / perSecond50)
	defer tick.Stop()
	var all sync.WaitGroup
	defer all.Wait()
	for n := 0; ; n++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		select {
		case places <- struct{}{}:
		default:
			continue // all of them are unanswered
		}
		all.Go(func() {
			defer func() { <-places }()
			r, err := a.request(ctx, n)
			if err != nil {
				return
			}
			if answer, err := client.Do(r); err == nil {
				_, _ = io.Copy(io.Discard, answer.Body) // its speed is the attacker's own affair
				_ = answer.Body.Close()
			}
		})
	}
}

// attacks are the most expensive things that a company can ask for.
func (b *bench) attacks(ctx context.Context, p *process, data string, t tenant) ([]attack, error) {
	picture, err := largePicture()
	if err != nil {
		return nil, err
	}
	pfx, err := b.certificate(ctx, data, t.cuit)
	if err != nil {
		return nil, err
	}
	logo, logoType, err := client.Form{Files: []client.File{{Field: "logo", Name: "logo", Content: picture}}}.Encode()
	if err != nil {
		return nil, err
	}
	today := time.Now().UTC()
	cert, certType, err := client.Form{Fields: map[string]string{"from_date": today.Format(time.DateOnly),
		"expiration_date": today.AddDate(0, 0, 730).Format(time.DateOnly), "password": "wrong", "environment": "Production"},
		Files: []client.File{{Field: "certificate", Name: "certificate", Content: pfx}}}.Encode()
	if err != nil {
		return nil, err
	}
	var list struct{ Data []struct{ ID string } }
	if err := (client.Client{Base: p.address, Key: t.keys[1]}).Do(ctx, http.MethodGet, "/api/invoices", nil,
		&list); err != nil {
		return nil, err
	}
	ask := func(method, path, contentType string, body []byte) func(context.Context, int) (*http.Request, error) {
		return func(ctx context.Context, _ int) (*http.Request, error) {
			r, err := http.NewRequestWithContext(ctx, method, p.address+path, bytes.NewReader(body))
			if err == nil {
				r.Header.Set("X-Api-Key", t.keys[0])
				r.Header.Set("Content-Type", contentType)
			}
			return r, err
		}
	}
	out := []attack{
		{"logos", "A PNG of 3000 x 3000 pixels, 50 a second.", ask("POST", "/api/companies/"+t.id+"/logo", logoType, logo)},
		{"lists", "A page of 60 invoices of 190 KB, 50 a second.",
			ask("GET", "/api/invoices?per_page=100", "application/json", nil)},
		{"PDFs", "A document of 700 items, 50 a second of 60.", func(ctx context.Context, n int) (*http.Request, error) {
			return ask("POST", "/api/invoices/"+list.Data[n%len(list.Data)].ID+"/download-pdf/A4", "application/json", nil)(ctx,
				n)
		}},
		{"certificates", "A .pfx file with a wrong password, 50 a second.",
			ask("POST", "/api/companies/"+t.id+"/certificates", certType, cert)},
		{"log-ins", "Wrong passwords of invented accounts, 50 a second, from the same address.",
			func(ctx context.Context, n int) (*http.Request, error) {
				body := fmt.Sprintf(`{"email":"invented%d-%d@example.com","password":"wrong password"}`, time.Now().UnixNano(), n)
				r, err := ask("POST", "/api/login", "application/json", []byte(body))(ctx, n)
				if err == nil {
					r.Header.Del("X-Api-Key")
				}
				return r, err
			}},
	}
	kinds := out
	return append(out, attack{"all of them", "Each of these in turn, 50 a second in all.",
		func(ctx context.Context, n int) (*http.Request, error) {
			return kinds[n%len(kinds)].request(ctx, n)
		}}), nil
}

// largePicture takes as much memory as a logo may, and few bytes.
func largePicture() ([]byte, error) {
	var out bytes.Buffer
	err := png.Encode(&out, image.NewNRGBA64(image.Rect(0, 0, 3000, 3000)))
	return out.Bytes(), err
}
