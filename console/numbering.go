package console

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
)

// span is a range of numbers that was uploaded.
type span struct {
	ID          string      `json:"id_enumeration"`
	Type        string      `json:"document_type"`
	Environment string      `json:"environment"`
	Series      *string     `json:"series"`
	From        json.Number `json:"from"`
	To          json.Number `json:"to"`
	Next        json.Number `json:"next"`
	Remaining   json.Number `json:"remaining"`
	ExpiresOn   *string     `json:"expires_on"`
	Expired     bool        `json:"expired"`
}

// Size is how many numbers it has.
func (s span) Size() int64 {
	from, _ := s.From.Int64()
	to, _ := s.To.Int64()
	return to - from + 1
}

// Left is how many of them are left.
func (s span) Left() int64 {
	n, _ := s.Remaining.Int64()
	return n
}

// LowMark is where few numbers are left: a tenth of them.
func (s span) LowMark() int64 { return s.Size() / 10 }

// Unused says that its first number is still the next one.
func (s span) Unused() bool { return !s.Expired && s.Next == s.From }

// State is expired, used, low or active.
func (s span) State() string {
	switch {
	case s.Expired:
		return "Expired"
	case s.Left() <= 0:
		return "Used up"
	case s.Left() <= s.LowMark():
		return "Low"
	}
	return "Active"
}

// series is a numbering series as it stands.
type series struct {
	ID          string       `json:"series"`
	Environment string       `json:"environment"`
	Type        string       `json:"invoice_type"`
	Branch      int          `json:"branch_office"`
	Last        json.Number  `json:"last"`
	Accepted    json.Number  `json:"last_accepted"`
	Open        []any        `json:"open"`
	Held        *heldBecause `json:"held"`
}

// heldBecause is why an operator has a series stand.
type heldBecause struct {
	Reason string `json:"reason"`
}

func (v *visit) numbering() error { return v.showNumbering(http.StatusOK) }

func (v *visit) showNumbering(status int) error {
	var ranges list[span]
	if err := v.get(route("companies", v.company, "enumeration"), &ranges); err != nil {
		return err
	}
	var running list[series]
	if err := v.get(route("companies", v.company, "numbering"), &running); err != nil {
		return err
	}
	types, err := v.documentTypes()
	if err != nil {
		return err
	}
	var options []option
	for _, t := range types {
		options = append(options, option{Value: strconv.Itoa(t.ID), Name: t.Name})
	}
	files := len(ranges.Data) > 0
	for _, s := range v.here.Steps {
		files = files || s.Code == "NUMBERING_RANGE"
	}
	v.render(status, "numbering", "Numbering", struct {
		Ranges []span
		Series []series
		Types  []option
		Files  bool // numbers come in files here
	}{ranges.Data, running.Data, options, files})
	return nil
}

// documentType is a kind of document that the company's country has.
type documentType struct {
	ID   int    `json:"id"`
	Type string `json:"invoice_type"`
	Name string `json:"name"`
}

func (v *visit) documentTypes() (all []documentType, err error) {
	return all, v.get("/api/document-types?country="+url.QueryEscape(v.here.Country), &all)
}

func (v *visit) uploadRange() error {
	err := v.upload(route("companies", v.company, "enumeration", "upload"), "file", "id_document_type")
	if err != nil {
		return v.again(err, v.showNumbering)
	}
	return v.done(v.within("numbering"), "range")
}

func (v *visit) startRange() error {
	path := route("companies", v.company, "enumeration", v.r.PathValue("range"), "config")
	if err := v.put(path, v.body()); err != nil {
		return v.again(err, v.showNumbering)
	}
	return v.done(v.within("numbering"), "start")
}
