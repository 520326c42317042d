package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"sync"

	"github.com/go-chi/chi/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/oklog/ulid/v2"
	"golang.org/x/time/rate"
)

// peer is the whole service.
type peer struct {
	pool   *pgxpool.Pool
	owners map[[32]byte]string // companies by the SHA-256 of their keys
	limits sync.Map            // *rate.Limiter by key
}

func (p *peer) routes() http.Handler {
	r := chi.NewRouter()
	r.Post("/api/invoices", p.owned(p.create))
	r.Get("/api/invoices/{id}", p.owned(p.read))
	r.Get("/api/invoices", p.owned(p.list))
	return r
}

// owned runs a handler for the company of the caller's key, within the key's limit.
func (p *peer) owned(handle func(http.ResponseWriter, *http.Request, string) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("x-api-key")
		company, ok := p.owners[sha256.Sum256([]byte(key))]
		if !ok {
			http.Error(w, "unknown key", http.StatusUnauthorized)
			return
		}
		limit, ok := p.limits.Load(key)
		if !ok {
			limit, _ = p.limits.LoadOrStore(key, rate.NewLimiter(1e9, 1e9))
		}
		if !limit.(*rate.Limiter).Allow() {
			http.Error(w, "slow down", http.StatusTooManyRequests)
			return
		}
		if err := handle(w, r, company); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}
}

func answer(w http.ResponseWriter, status int, body []byte) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, err := w.Write(body)
	return err
}

func (p *peer) create(w http.ResponseWriter, r *http.Request, company string) error {
	var in invoice
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 256<<10)).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return nil
	}
	if !in.adds() {
		http.Error(w, "totals", http.StatusUnprocessableEntity)
		return nil
	}
	in.ID, in.Status = ulid.Make().String(), "Pending"
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	if err := p.store(r.Context(), in.ID, company, body); err != nil {
		return err
	}
	return answer(w, http.StatusCreated, body)
}

// store writes an event and a row in one transaction, which is on disk when this returns.
func (p *peer) store(ctx context.Context, id, company string, body []byte) error {
	tx, err := p.pool.Begin(ctx)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `insert into events(stream, revision, type, data) values($1,0,'InvoiceCreated',$2)`,
		"invoice-"+id, body)
	if err == nil {
		_, err = tx.Exec(ctx, `insert into invoices(id, company, seq, status, body)
			values($1,$2,nextval('invoice_seq'),'Pending',$3)`, id, company, body)
	}
	if err != nil {
		return errors.Join(err, tx.Rollback(ctx))
	}
	return tx.Commit(ctx)
}

func (p *peer) read(w http.ResponseWriter, r *http.Request, company string) error {
	var body []byte
	err := p.pool.QueryRow(r.Context(), `select body::text from invoices where id=$1 and company=$2`,
		chi.URLParam(r, "id"), company).Scan(&body)
	if err != nil {
		http.Error(w, "not found", http.StatusNotFound)
		return nil
	}
	return answer(w, http.StatusOK, body)
}

func (p *peer) list(w http.ResponseWriter, r *http.Request, company string) error {
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	page = max(page, 1)
	var total int
	if err := p.pool.QueryRow(r.Context(), `select count(*) from invoices where company=$1`, company).
		Scan(&total); err != nil {
		return err
	}
	rows, err := p.pool.Query(r.Context(), `select body::text from invoices where company=$1
		order by seq desc limit 100 offset $2`, company, (page-1)*100)
	if err != nil {
		return err
	}
	defer rows.Close()
	data := []json.RawMessage{}
	for rows.Next() {
		var body []byte
		if err := rows.Scan(&body); err != nil {
			return err
		}
		data = append(data, body)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{"page": page, "total_results": total, "data": data})
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, body)
}

// adds says whether the items add up to the totals.
func (in *invoice) adds() bool {
	sum, taxes := 0.0, 0.0
	for _, it := range in.Items {
		sum += it.Quantity * it.UnitPrice
		for _, t := range it.Taxes {
			taxes += t.Amount
		}
	}
	return math.Abs(sum-in.Totals.Sub) <= 0.01 && math.Abs(sum-in.Totals.Discount+taxes-in.Totals.Total) <= 0.01
}
