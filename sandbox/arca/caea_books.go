package arca

import (
	"context"
	"net/http"
	"strconv"

	"folio/sandbox/desk"
)

// Book is what the sandbox holds of one CAEA: who has it, what was reported under it, and the
// points of sale that were told to be without movement.
type Book struct {
	Environment string         `json:"environment"`
	CUIT        int64          `json:"cuit"`
	CAEA        string         `json:"caea"`
	Periodo     int            `json:"periodo"`
	Orden       int            `json:"orden"`
	From        string         `json:"from"`
	To          string         `json:"to"`
	ReportUntil string         `json:"report_until"`
	Reported    []BookVoucher  `json:"reported"`
	NoMovement  []NoMovementOf `json:"no_movement"`
}

// BookVoucher is one that was reported.
type BookVoucher struct {
	PointOfSale int    `json:"point_of_sale"`
	Type        int    `json:"type"`
	Number      int64  `json:"number"`
	Date        string `json:"date"`      // yyyymmdd
	Generated   string `json:"generated"` // yyyymmddhhmmss
	Total       string `json:"total"`
	Processed   string `json:"processed"`
	Remarks     int    `json:"remarks,omitempty"`
}

// NoMovementOf is a point of sale that was told to be without movement.
type NoMovementOf struct {
	PointOfSale int    `json:"point_of_sale"`
	At          string `json:"at"` // yyyymmdd
}

// Books are the codes that were given, oldest first; cuit 0 is of everybody.
func (s *Server) Books(ctx context.Context, cuit int64) ([]Book, error) {
	books, err := desk.Bodies(ctx, s.store, func(b *Book) []any { return []any{&b.Environment, &b.CUIT} },
		`SELECT body, environment, cuit FROM caea WHERE ?=0 OR cuit=? ORDER BY environment, cuit, periodo, orden`, cuit,
		cuit)
	for i := range books {
		b := &books[i]
		if err == nil {
			b.Reported, err = s.reportedUnder(ctx, b)
		}
		b.NoMovement = []NoMovementOf{}
		var told []emptyPoint
		if err == nil {
			told, err = empties(ctx, s.store, issuer{b.Environment, b.CUIT}, 0, b.CAEA)
		}
		for _, e := range told {
			b.NoMovement = append(b.NoMovement, NoMovementOf{e.PtoVta, e.At})
		}
	}
	return books, err
}

func (s *Server) reportedUnder(ctx context.Context, b *Book) ([]BookVoucher, error) {
	keys := []series{}
	held, err := desk.Bodies(ctx, s.store, func(*voucher) []any {
		keys = append(keys, series{})
		last := &keys[len(keys)-1]
		return []any{&last.ptoVta, &last.tipo}
	}, `SELECT body, ptovta, tipo FROM voucher WHERE environment=? AND cuit=? AND body->>'reported' AND body->>'cae'=?
		ORDER BY ptovta, tipo, desde`, b.Environment, b.CUIT, b.CAEA)
	out := []BookVoucher{}
	for i, v := range held {
		out = append(out, BookVoucher{PointOfSale: keys[i].ptoVta, Type: keys[i].tipo, Number: v.Detail.Desde,
			Date: v.Detail.Fch, Generated: v.Generated, Total: v.Detail.Total.String(), Processed: v.Processed,
			Remarks: len(v.Observations)})
	}
	return out, err
}

// showBooks answers the books of CAEA, ?cuit= those of one taxpayer.
func (s *Server) showBooks(w http.ResponseWriter, r *http.Request) {
	company, ok := s.CompanyOf(w, r)
	if !ok {
		return
	}
	cuit, _ := strconv.ParseInt(company, 10, 64)
	books, err := s.Books(r.Context(), cuit)
	if err != nil {
		desk.Broken(s.Logger, r, err, "sandbox of ARCA: books of CAEA")
		desk.WriteProblem(w, http.StatusInternalServerError, err)
		return
	}
	if books == nil {
		books = []Book{}
	}
	desk.WriteJSON(w, http.StatusOK, books)
}
