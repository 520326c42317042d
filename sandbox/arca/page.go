package arca

import (
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"folio/money"
	"folio/sandbox/desk"
)

//go:embed pages/*.html
var pageFiles embed.FS

// coded4892 is the content of the printed code (RG 4892).
type coded4892 struct {
	Ver        int         `json:"ver"`
	Fecha      string      `json:"fecha"`
	Cuit       int64       `json:"cuit"`
	PtoVta     int         `json:"ptoVta"`
	TipoCmp    int         `json:"tipoCmp"`
	NroCmp     int64       `json:"nroCmp"`
	Importe    json.Number `json:"importe"`
	Moneda     string      `json:"moneda"`
	Ctz        json.Number `json:"ctz"`
	TipoDocRec int         `json:"tipoDocRec"`
	NroDocRec  int64       `json:"nroDocRec"`
	TipoCodAut string      `json:"tipoCodAut"`
	CodAut     json.Number `json:"codAut"`
}

// compared is one datum of the code beside what the sandbox holds.
type compared struct {
	Name, Code, Held string
	Same             bool
}

// showQR decodes the code of a printed document and compares it with what was issued.
func (s *Server) showQR(w http.ResponseWriter, r *http.Request) {
	out := struct {
		Error, Environment string
		Rows               []compared
		Same               bool
	}{}
	code, err := parseQR(r.URL.Query().Get("p"))
	if err != nil {
		out.Error = err.Error()
		w.WriteHeader(http.StatusBadRequest)
		s.Page(w, r, "qr.html", out)
		return
	}
	for _, environment := range []string{Production, Testing} {
		v, ok, err := find(r.Context(), s.store, series{environment, code.Cuit, code.PtoVta, code.TipoCmp}, code.NroCmp)
		if err != nil {
			desk.Broken(s.Logger, r, err, "sandbox of ARCA: look a code up")
		}
		if !ok || out.Environment != "" && v.CAE != code.CodAut.String() {
			continue
		}
		out.Environment, out.Rows = environment, code.compare(v)
	}
	out.Same = out.Environment != ""
	for _, row := range out.Rows {
		out.Same = out.Same && row.Same
	}
	if out.Environment == "" {
		out.Error = "El comprobante no fue emitido por este simulador."
		w.WriteHeader(http.StatusNotFound)
	}
	s.Page(w, r, "qr.html", out)
}

// parseQR is strict where ARCA's specification is: standard base64 with padding and
// nothing between, numbers as numbers. A + that the address turned into a space counts.
func parseQR(p string) (coded4892, error) {
	var c coded4892
	if p == "" {
		return c, errors.New("falta el parametro p")
	}
	doc, err := base64.StdEncoding.Strict().DecodeString(strings.ReplaceAll(p, " ", "+"))
	if err != nil || strings.ContainsAny(p, "\r\n") {
		return c, errors.New("el parametro p no es base64")
	}
	if err := json.Unmarshal(doc, &c); err != nil {
		return c, fmt.Errorf("el parametro p no contiene los datos de la RG 4892: %w", err)
	}
	return c, nil
}

func (c coded4892) compare(v voucher) []compared {
	row := func(name, code, held string) compared { return compared{name, code, held, code == held} }
	amount := func(name string, code json.Number, held money.Decimal) compared {
		given, err := money.Parse(code.String())
		return compared{name, code.String(), held.Trim().String(), err == nil && given.Equal(held)}
	}
	date := strings.ReplaceAll(c.Fecha, "-", "")
	d := v.Detail
	return []compared{
		row("fecha", date, d.Fch), amount("importe", c.Importe, d.Total), row("moneda", c.Moneda, d.MonID),
		amount("ctz", c.Ctz, d.MonCotiz),
		row("tipoDocRec", strconv.Itoa(c.TipoDocRec), strconv.Itoa(d.DocTipo)),
		row("nroDocRec", strconv.FormatInt(c.NroDocRec, 10), strconv.FormatInt(d.DocNro, 10)),
		row("tipoCodAut", c.TipoCodAut, map[bool]string{true: "A", false: "E"}[v.Reported]),
		row("codAut", c.CodAut.String(), v.CAE),
	}
}
