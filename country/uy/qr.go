package uy

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"folio/country"
	"folio/events"
	"folio/money"
)

const (
	qrHost = "www.efactura.dgi.gub.uy"
	qrPath = "/consultaQR/cfe"
)

// QRDate is the form of the date of signature in a QR code.
type QRDate string

// The forms of the date. CFE25 (page 84) says dd/mm/yyyy; documents in use have the
// compact one, whose digits need no escapes. Whether DGI's page takes both is unverified.
const (
	QRDateCompact    QRDate = "20060102"
	QRDateDocumented QRDate = "02/01/2006"
)

// QRAddress is the text of the code on a printed document (CFE25, page 84): DGI's page
// with RUC, type, series, number, amount with two decimals, day of signature in Uruguay
// and hash, each percent-encoded where it must be.
func QRAddress(s Signed, date QRDate) string {
	parts := []string{s.RUC, strconv.Itoa(s.Type), s.Series, strconv.FormatInt(s.Number, 10), cents(s.Amount),
		s.At.In(location).Format(string(date)), s.Hash}
	return "https://" + qrHost + qrPath + "?" + strings.Join(country.Collect(parts, url.QueryEscape), ",")
}

// QR is the text of the code that the printed document carries; "" before DGI's number
// is known.
func (Rules) QR(i country.Issued) string { return i.Authorization.QR }

const maxQR = 1024 // a real one has 140 characters

// ReadQR reads the address of a document's code. It says who issued which document for
// how much, and when it was signed; neither in which currency nor to whom, so Currency
// and Recipient are empty. Both forms of the date are taken.
func (Rules) ReadQR(text string) (country.Purchase, error) {
	p, err := readQR(strings.TrimSpace(text))
	return country.PurchaseRead(Rules{}, "qr", "UY-PURCHASE-10", p, err)
}

func readQR(text string) (country.Purchase, error) {
	if len(text) > maxQR {
		return country.Purchase{}, errors.New("this is longer than the code of any document")
	}
	u, err := url.Parse(text)
	if err != nil || !strings.EqualFold(u.Host, qrHost) || !strings.EqualFold(u.Path, qrPath) {
		return country.Purchase{}, fmt.Errorf("give the text of the code that is printed on the document: https://%s%s?…",
			qrHost, qrPath)
	}
	parts := strings.Split(u.RawQuery, ",")
	if len(parts) != 7 {
		return country.Purchase{}, fmt.Errorf("the address has %d parts between commas, not 7", len(parts))
	}
	for i, part := range parts {
		// A plus sign is one of base64's characters here, no blank.
		if parts[i], err = url.PathUnescape(part); err != nil {
			return country.Purchase{}, errors.New("the address is not encoded as it should be")
		}
	}
	supplier, err := ParseRUT(parts[0])
	if err != nil {
		return country.Purchase{}, err
	}
	code, err1 := strconv.Atoi(parts[1])
	nro, err2 := strconv.ParseInt(parts[3], 10, 64)
	total, err3 := money.Parse(parts[4])
	day, err4 := readQRDate(parts[5])
	hash, err5 := base64.StdEncoding.DecodeString(parts[6])
	switch {
	case err1 != nil || err2 != nil:
		return country.Purchase{}, errors.New("the type or number in the code is no number")
	case err3 != nil:
		return country.Purchase{}, errors.New("the amount in the code is none")
	case err4 != nil:
		return country.Purchase{}, err4
	case err5 != nil || len(hash) != 20 && len(hash) != 32:
		return country.Purchase{}, errors.New("the hash in the code is none of SHA-1 or SHA-256 in base64")
	}
	return country.Purchase{
		OfficialCode: code, Series: parts[2], Number: nro, Date: day, Total: total,
		Supplier: events.Party{DocumentType: identifierName, DocumentNumber: supplier,
			Address: events.Address{Country: "UY"}},
		Verification: country.Consistent,
		Verified: "Its figures agree with each other; the code says neither the currency nor the recipient, its date " +
			"is that of the signature, and DGI was not asked.",
	}, nil
}

func readQRDate(text string) (string, error) {
	for _, layout := range []QRDate{QRDateCompact, QRDateDocumented} {
		if t, err := time.Parse(string(layout), text); err == nil {
			return t.Format(time.DateOnly), nil
		}
	}
	return "", errors.New("the date in the code is neither yyyymmdd nor dd/mm/yyyy")
}
