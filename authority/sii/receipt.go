package sii

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"folio/authority"
	"folio/country/cl"
)

// receipt is what is known of the last upload of a series: the stamp that went out, to
// be printed, and SII's track id, which is the only way to ask for the envelope.
type receipt struct {
	Folio int64  `json:"folio"`
	Hash  string `json:"sha256"` // of the bytes
	Stamp []byte `json:"ted"`
	Track string `json:"track_id,omitempty"`
}

func receiptRef(environment, issuer string, code int) string {
	return "sent-sii-" + environment + "-" + issuer + "-" + strconv.Itoa(code)
}

// receiptOf is the receipt of a document, zero when none is kept.
func (t talk) receiptOf(ctx context.Context, issuer string, d authority.Document) receipt {
	var r receipt
	blob := t.sent.load(ctx, receiptRef(t.endpoints.Environment, issuer, d.Document.OfficialCode))
	if json.Unmarshal(blob, &r) != nil || r.Folio != d.Number {
		return receipt{}
	}
	return r
}

func (t talk) keepReceipt(ctx context.Context, issuer string, code int, r receipt) error {
	blob, err := json.Marshal(r)
	if err == nil {
		err = t.sent.store(ctx, receiptRef(t.endpoints.Environment, issuer, code), blob)
	}
	if err != nil {
		return fmt.Errorf("keep the receipt of folio %d: %w", r.Folio, err)
	}
	return nil
}

// issuerOf is the issuer's RUT of a document.
func issuerOf(d authority.Document) (string, error) {
	rut, err := cl.ParseRUT(d.Document.Issuer.DocumentNumber)
	if err != nil {
		return "", fmt.Errorf("issuer of folio %d: %w", d.Number, err)
	}
	return rut, nil
}
