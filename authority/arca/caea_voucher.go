package arca

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"
)

// CAEAVoucher is FECAEADetRequest: a voucher that was issued under a CAEA. Its two members
// more stand last (WSDL; manual of WSFEv1, section "FECAEARegInformativo").
type CAEAVoucher struct {
	Voucher
	// CAEA is 14 digits.
	CAEA string
	// Generated is CbteFchHsGen, yyyymmddhhmmss in Argentina (UTC-3): when the voucher was
	// made. Compulsory at every point of sale of CAEA since manual v4.6 (RG 5782/2025).
	Generated string
}

// writtenCAEA is how it is written.
type writtenCAEA struct {
	written
	CAEA      string `xml:"CAEA"`
	Generated string `xml:"CbteFchHsGen"`
}

// XML is the element FECAEADetRequest as it goes over the line: it is kept, and reported
// as it is.
func (v CAEAVoucher) XML() ([]byte, error) {
	out, err := xml.Marshal(struct {
		XMLName xml.Name `xml:"FECAEADetRequest"`
		writtenCAEA
	}{writtenCAEA: writtenCAEA{v.Voucher.written(), v.CAEA, v.Generated}})
	if err != nil {
		return nil, fmt.Errorf("write a voucher with CAEA: %w", err)
	}
	return out, nil
}

// ParseCAEAVoucher reads what XML wrote.
func ParseCAEAVoucher(content []byte) (CAEAVoucher, error) {
	var w struct {
		XMLName xml.Name `xml:"FECAEADetRequest"`
		writtenCAEA
	}
	if err := xml.Unmarshal(content, &w); err != nil {
		return CAEAVoucher{}, fmt.Errorf("read a voucher with CAEA: %w", err)
	}
	return CAEAVoucher{Voucher: w.voucher(), CAEA: w.CAEA, Generated: w.Generated}, nil
}

// generated is a moment as CbteFchHsGen has it.
func generated(at time.Time) string { return at.In(Zone).Format("20060102150405") }

// report is FeCAEARegInfReq around details that were written before: they go out byte by
// byte as they are.
func report(ptoVta, cbteTipo int, details [][]byte) ([]byte, error) {
	var inner strings.Builder
	for _, d := range details {
		inner.Write(d)
	}
	out, err := xml.Marshal(struct {
		XMLName  xml.Name `xml:"FeCAEARegInfReq"`
		CantReg  int      `xml:"FeCabReq>CantReg"`
		PtoVta   int      `xml:"FeCabReq>PtoVta"`
		CbteTipo int      `xml:"FeCabReq>CbteTipo"`
		Details  struct {
			Inner string `xml:",innerxml"`
		} `xml:"FeDetReq"`
	}{CantReg: len(details), PtoVta: ptoVta, CbteTipo: cbteTipo, Details: struct {
		Inner string `xml:",innerxml"`
	}{inner.String()}})
	if err != nil {
		return nil, fmt.Errorf("write a report of vouchers with CAEA: %w", err)
	}
	return out, nil
}
