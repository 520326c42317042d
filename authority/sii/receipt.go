package sii

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"folio/authority"
	"folio/country/cl"
)

// receipt is what is known of the last upload of a series: the stamp that went out, to
// be printed, and SII's track ids, which are the only way to ask for the envelope.
type receipt struct {
	Folio int64  `json:"folio"`
	Hash  string `json:"sha256"` // of the bytes
	Stamp []byte `json:"ted"`
	Track string `json:"track_id,omitempty"`
	// First is the track id of an earlier upload of the same bytes, which SII denied then.
	First string `json:"first_track_id,omitempty"`
}

func (t talk) receiptRef(s authority.Series) string {
	return "sent-sii-" + t.endpoints.Environment + "-" + s.Company + "-" + strconv.Itoa(s.OfficialCode)
}

// receiptOf is the receipt of a document, zero when none is kept.
func (t talk) receiptOf(ctx context.Context, s authority.Series, d authority.Document, signer cl.Signer) receipt {
	var r receipt
	blob := t.sent.Load(ctx, t.receiptRef(s))
	if json.Unmarshal(blob, &r) != nil || r.Folio != d.Number || !stampedAs(r.Stamp, d, signer) {
		return receipt{}
	}
	return r
}

var stampTime = regexp.MustCompile(`<TSTED>([^<]+)</TSTED>`)

// stampedAs asks whether a stamp is of this very document: stamping it again at the
// same moment gives the same bytes.
func stampedAs(stamp []byte, d authority.Document, signer cl.Signer) bool {
	at, ok := stampedAt(stamp)
	if !ok {
		return false
	}
	again, err := cl.Stamp(d.Document, d.Number, signer, at)
	return err == nil && bytes.Equal(again, stamp)
}

// stampedAt is when a stamp was made.
func stampedAt(stamp []byte) (time.Time, bool) {
	found := stampTime.FindSubmatch(stamp)
	if found == nil {
		return time.Time{}, false
	}
	at, err := time.ParseInLocation(stampForm, string(found[1]), cl.Rules{}.Location())
	return at, err == nil
}

func (t talk) keepReceipt(ctx context.Context, s authority.Series, r receipt) error {
	blob, err := json.Marshal(r)
	if err == nil {
		err = t.sent.Store(ctx, t.receiptRef(s), blob)
	}
	if err != nil {
		return fmt.Errorf("keep the receipt of folio %d: %w", r.Folio, err)
	}
	return nil
}

// opened is the CAF of a document's number.
func opened(d authority.Document) (cl.Signer, error) {
	if d.Range == nil {
		return cl.Signer{}, fmt.Errorf("there is no CAF for folio %d", d.Number)
	}
	signer, err := cl.OpenCAF(d.Range.File)
	if err != nil {
		return cl.Signer{}, fmt.Errorf("open the CAF of folio %d: %w", d.Number, err)
	}
	return signer, nil
}

// issuerOf is the issuer's RUT of a document.
func issuerOf(d authority.Document) (string, error) {
	rut, err := cl.ParseRUT(d.Document.Issuer.DocumentNumber)
	if err != nil {
		return "", fmt.Errorf("issuer of folio %d: %w", d.Number, err)
	}
	return rut, nil
}
