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

// receipt is what is known of the last upload of a document: the stamp that went out, to
// be printed, the document's signature, and SII's track ids, which are the only way to ask
// for the envelope. Those that earlier versions kept have no signature.
type receipt struct {
	Folio     int64  `json:"folio"`
	Hash      string `json:"sha256"` // of the bytes
	Stamp     []byte `json:"ted"`
	Signature string `json:"signature,omitempty"` // SignatureValue, one line
	Track     string `json:"track_id,omitempty"`
	// Again says that another envelope carried the document before this one.
	Again bool `json:"again,omitempty"`
	// First is the track id of an earlier upload of the same bytes, which SII denied then.
	First string `json:"first_track_id,omitempty"`
}

// receiptRef names the receipt of a folio. Several folios of a series may be under way at
// once, each with its own. Earlier versions kept that of the last one only.
func (t talk) receiptRef(s authority.Series, folio int64) string {
	return t.lastReceiptRef(s) + "-" + strconv.FormatInt(folio, 10)
}

func (t talk) lastReceiptRef(s authority.Series) string {
	return "sent-sii-" + t.endpoints.Environment + "-" + s.Company + "-" + strconv.Itoa(s.OfficialCode)
}

// receiptOf is the receipt of a document, zero when none is kept.
func (t talk) receiptOf(ctx context.Context, s authority.Series, d authority.Document, signer cl.Signer) receipt {
	for _, ref := range []string{t.receiptRef(s, d.Number), t.lastReceiptRef(s)} {
		var r receipt
		if json.Unmarshal(t.sent.Load(ctx, ref), &r) == nil && r.Folio == d.Number && stampedAs(r.Stamp, d, signer) {
			return r
		}
	}
	return receipt{}
}

// of is a receipt as far as it is about the envelope that now carries the document: track
// ids of an earlier one say what became of that one, and are looked for anew (getEstDteAv).
func (r receipt) of(d authority.Document) receipt {
	if d.Envelope != "" && r.Hash != d.Envelope {
		r.Hash, r.Track, r.First = "", "", ""
	}
	return r
}

var stampTime = regexp.MustCompile(`<TSTED>([^<]+)</TSTED>`)

// stampedAs asks whether a stamp is of this very document: stamping it again at the
// same moment gives the same bytes.
func stampedAs(stamp []byte, d authority.Document, signer cl.Signer) bool {
	at, ok := stampedAt(stamp, d)
	if !ok {
		return false
	}
	again, err := cl.Stamp(d.Document, d.Number, signer, at)
	return err == nil && bytes.Equal(again, stamp)
}

// stampedAt is when the stamp of a document was made. TSTED has no offset: it is the local time of the issuer, as
// envelopes write it, and Magallanes and Aysén are an hour ahead of Santiago in winter.
func stampedAt(stamp []byte, d authority.Document) (time.Time, bool) {
	found := stampTime.FindSubmatch(stamp)
	if found == nil {
		return time.Time{}, false
	}
	at, err := time.ParseInLocation(stampForm, string(found[1]), cl.LocationOf(d.Document))
	return at, err == nil
}

func (t talk) keepReceipt(ctx context.Context, s authority.Series, r receipt) error {
	blob, err := json.Marshal(r)
	if err == nil {
		err = t.sent.Store(ctx, t.receiptRef(s, r.Folio), blob)
	}
	if err != nil {
		return fmt.Errorf("keep the receipt of folio %d: %w", r.Folio, err)
	}
	return nil
}

// numbered is the issuer's RUT of a document, and the CAF of its number.
func numbered(d authority.Document) (issuer string, signer cl.Signer, err error) {
	if issuer, err = cl.ParseRUT(d.Document.Issuer.DocumentNumber); err != nil {
		return "", signer, fmt.Errorf("issuer of folio %d: %w", d.Number, err)
	}
	if d.Range == nil {
		return "", signer, fmt.Errorf("there is no CAF for folio %d", d.Number)
	}
	if signer, err = cl.OpenCAF(d.Range.File); err != nil {
		return "", signer, fmt.Errorf("open the CAF of folio %d: %w", d.Number, err)
	}
	return issuer, signer, nil
}
