package sii_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"folio/authority"
	"folio/authority/drivertest"
	"folio/country"
	"folio/country/cl"
	"folio/events"
	arcasandbox "folio/sandbox/arca"
)

// A document that the schema refuses is not signed: the error names it and its element.
func TestADocumentThatTheSchemaRefusesIsNotSigned(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		kind, field, value string
		says               string
	}{
		"an invoice": {"FAC", cl.FieldBranchCode, "12345678901",
			"/Documento/Encabezado/Emisor/CdgSIISucur"},
		"an export": {"FXE", cl.FieldActeco, "", "/Exportaciones/Encabezado/Emisor"},
		"a boleta": {"BOL", cl.FieldBranchCode, "12345678901",
			"/Documento/Encabezado/Emisor/CdgSIISucur"},
		"what ISO-8859-1 cannot write": {"FAC", cl.FieldGiro, "Ferretería ☂", "ISO-8859-1"},
		"no resolution":                {"FAC", cl.FieldResolutionDate, "", "resolution"},
	} {
		t.Run(name, func(t *testing.T) {
			b := w.batch(c.kind, 0, 7)
			d := &b.Documents[0].Document
			fields := country.IssuerOf(events.InvoiceCreated{Document: *d}).Fields
			fields[c.field] = c.value
			d.HeaderInfo = country.SetMember(d.HeaderInfo, "issuer", fields)
			_, err := w.driver.Prepare(t.Context(), material().good, b)
			var unfit *authority.Unfit
			if !errors.As(err, &unfit) || unfit.Invoice != b.Documents[0].Invoice || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}

// The sender is told by the certificate, or by the profile as it is now: both change
// together, and neither is frozen.
func TestTheSenderIsOfThePresentCertificateAndProfile(t *testing.T) {
	w := newWorld(t)
	nameless := drivertest.Issue(material().ca, arcasandbox.Holder, "30500010912", issuerRUT, 100)
	b := w.batch("FAC", 0, 7)
	if _, err := w.driver.Prepare(t.Context(), nameless, b); !errors.Is(err, authority.ErrCredential) ||
		!strings.Contains(err.Error(), cl.FieldSenderRUT) {
		t.Errorf("without anybody: %v", err)
	}
	b.Documents[0].Fields = map[string]string{cl.FieldSenderRUT: successorRUT}
	p, err := w.driver.Prepare(t.Context(), nameless, b)
	if err != nil || !strings.Contains(string(p.Content), "<RutEnvia>"+successorRUT+"</RutEnvia>") {
		t.Errorf("%v\n%.600s", err, p.Content)
	}
}

// What was found valid at a moment is signed at that moment, whatever time it is by now.
func TestABatchIsSignedAtItsTime(t *testing.T) {
	w := newWorld(t)
	b := w.batch("FAC", 0, 7)
	b.At = noon
	w.now.Add(int64((12 * time.Hour).Seconds()))
	p, err := w.driver.Prepare(t.Context(), material().good, b)
	if err != nil || strings.Count(string(p.Content), "2026-11-27T12:00:00<") < 2 ||
		strings.Contains(string(p.Content), "2026-11-28T") {
		t.Errorf("%v\n%s", err, p.Content)
	}
}
