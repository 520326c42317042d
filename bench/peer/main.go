// Command peer is what a good team would write first in place of Folio: chi, pgx and PostgreSQL. bench measures
// Folio beside it. It has no fiscal rules, and is as durable: an answer 201 is in PostgreSQL's log on disk.
package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const schema = `
drop table if exists events, invoices;
create table events(position bigserial primary key, id uuid not null default gen_random_uuid(), stream text not null,
	revision bigint not null, type text not null, data jsonb not null, at timestamptz not null default now(),
	unique(stream, revision));
create table invoices(id text primary key, company text not null, seq bigint not null, status text not null,
	body jsonb not null, unique(company, seq));
create sequence if not exists invoice_seq;`

func main() {
	dsn := flag.String("dsn", "", "how PostgreSQL is reached")
	keys := flag.Int("keys", 64, "how many keys there are")
	companies := flag.Int("companies", 4, "how many companies they belong to, in turn")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *dsn, *keys, *companies); err != nil {
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(1)
	}
}

// serve tells its address and keys in one line of standard output, and ends with its context or standard input.
func serve(ctx context.Context, dsn string, keys, companies int) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, schema); err != nil {
		return fmt.Errorf("make the tables: %w", err)
	}
	p := peer{pool: pool, owners: map[[32]byte]string{}}
	var place struct {
		Address string   `json:"address"`
		Keys    []string `json:"keys"`
	}
	for i := range keys {
		key := "pk_" + rand.Text()
		place.Keys = append(place.Keys, key)
		p.owners[sha256.Sum256([]byte(key))] = fmt.Sprint("company-", i%companies)
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	place.Address = "http://" + l.Addr().String()
	if err := json.NewEncoder(os.Stdout).Encode(place); err != nil {
		return err
	}
	s := &http.Server{Handler: p.routes(), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	context.AfterFunc(ctx, func() { _ = s.Close() }) // no caller is left
	if err := s.Serve(l); err != http.ErrServerClosed {
		return err
	}
	return nil
}
