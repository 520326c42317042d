package cl_test

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"testing"
	"time"

	"folio/country/cl"
	"folio/country/cl/stamptest"
	"folio/events"
	"folio/fault"
)

// The worked stamp of the samples, made by OpenSSL: PKCS#1 v1.5 has no randomness, so
// ours must be the same bytes.
func TestTheWorkedStamp(t *testing.T) {
	want := read(t, "cl_ted_39_1201.xml")
	signer, err := cl.OpenCAF(read(t, "cl_caf_39_latin1.xml"))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 10, 20, 13, 15, 30, 0, time.UTC) // daylight saving time: UTC-3
	d := events.Document{
		OfficialCode: 39, Date: "2026-10-20 10:00:00",
		Issuer:    events.Party{DocumentNumber: "76999888-8"},
		Recipient: events.Party{LegalName: "Cliente & Compañía"},
		Items:     []events.Item{{Description: "Café molido 250 g"}},
		Totals:    events.Totals{Total: dec("1190")},
	}
	got, err := cl.Stamp(d, 1201, signer, at)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%v\n%s\n%s", err, got, want)
	}
	e := expectations(t).Chile.TED
	dd := got[bytes.Index(got, []byte("<DD>")) : bytes.Index(got, []byte("</DD>"))+5]
	if sum := sha1.Sum(dd); hex.EncodeToString(sum[:]) != e.SHA1 || len(got) != e.Bytes {
		t.Errorf("DD %x, %d bytes", sum, len(got))
	}
	if err := stamptest.Verify(got); err != nil {
		t.Error(err)
	}
	for _, change := range [][2]string{{"<MNT>1190", "<MNT>1191"}, {"<F>1201", "<F>1202"}, {"Caf\xe9", "Cafe"},
		{"i3pN", "j3pN"}} {
		if err := stamptest.Verify(bytes.Replace(got, []byte(change[0]), []byte(change[1]), 1)); err == nil {
			t.Errorf("a stamp with %s verifies", change[1])
		}
	}
}

func TestStampsThatMayNotBeMade(t *testing.T) {
	signer, err := cl.OpenCAF(read(t, "cl_caf_39_latin1.xml"))
	if err != nil {
		t.Fatal(err)
	}
	good := events.Document{OfficialCode: 39, Date: "2026-10-20 10:00:00",
		Issuer: events.Party{DocumentNumber: "76999888-8"},
		Items:  []events.Item{{Description: "Café"}}, Totals: events.Totals{Total: dec("1190")}}
	for name, c := range map[string]struct {
		number int64
		change func(*events.Document)
	}{
		"below the range":    {1200, func(*events.Document) {}},
		"above the range":    {1401, func(*events.Document) {}},
		"another type":       {1201, func(d *events.Document) { d.OfficialCode = 33 }},
		"another issuer":     {1201, func(d *events.Document) { d.Issuer.DocumentNumber = "77111222-6" }},
		"no issuer":          {1201, func(d *events.Document) { d.Issuer.DocumentNumber = "" }},
		"no items":           {1201, func(d *events.Document) { d.Items = nil }},
		"no date":            {1201, func(d *events.Document) { d.Date = "" }},
		"kanji in a name":    {1201, func(d *events.Document) { d.Recipient.LegalName = "日本" }},
		"a zloty in an item": {1201, func(d *events.Document) { d.Items = []events.Item{{Description: "a zł"}} }},
	} {
		d := good
		c.change(&d)
		if ted, err := cl.Stamp(d, c.number, signer, time.Unix(0, 0)); err == nil {
			t.Errorf("%s: %s", name, ted)
		}
	}
}

func TestKeysStayOutOfLogs(t *testing.T) {
	signer, err := cl.OpenCAF(read(t, "cl_caf_33.xml"))
	if err != nil {
		t.Fatal(err)
	}
	if s := signer.Private.String() + signer.Private.GoString(); s != "cl.PrivateKey(secret)cl.PrivateKey(secret)" {
		t.Error(s)
	}
}

func FuzzParseCAF(f *testing.F) {
	for _, name := range []string{"cl_caf_33.xml", "cl_caf_33_tampered.xml", "cl_caf_39_latin1.xml",
		"cl_caf_61_expired.xml", "cl_ted_39_1201.xml"} {
		f.Add(read(f, name))
	}
	f.Add([]byte("\ufeff<?xml version=\"1.0\"?><AUTORIZACION><CAF version=\"1.0\"><DA></DA></CAF></AUTORIZACION>"))
	trust := sandboxKey(f)
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := cl.Rules{}.ParseRange(file, trust)
		if err != nil {
			if fault.As(err) == nil {
				t.Fatalf("an error without a path: %v", err)
			}
			return
		}
		if got.From < 1 || got.To < got.From || got.TaxIdentifier == "" || len(file) > 64<<10 {
			t.Fatalf("%+v", got)
		}
		if _, err := cl.OpenCAF(file); err != nil {
			t.Fatalf("it was taken and cannot be opened: %v", err)
		}
	})
}
