package sii

import (
	"strings"
	"testing"
)

// What SII answers is foreign: whatever it is, only a whole receipt with a number is one.
func FuzzUploadAnswers(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0"?><RECEPCIONDTE><STATUS>0</STATUS><TRACKID>12</TRACKID></RECEPCIONDTE>`))
	f.Add([]byte(`<html><body>SII</body></html>`))
	f.Add([]byte(`{"trackid":12,"estado":"REC"}`))
	f.Add([]byte("<RECEPCIONDTE><STATUS>7</STATUS><DETAIL><ERROR>\xf1</ERROR></DETAIL></RECEPCIONDTE>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if track, err := readUpload(reply{Status: 200, Body: body}); err == nil && track == "" &&
			!strings.Contains(string(body), "99") {
			t.Errorf("%q was taken for a receipt", body)
		}
		if track, err := readReceiptUpload(reply{Status: 200, Body: body}); err == nil && track == "" {
			t.Errorf("%q was taken for a receipt of a boleta", body)
		}
	})
}

func FuzzStates(f *testing.F) {
	f.Add([]byte(`<e><b><ns1:getEstUpReturn xmlns:ns1="x">&lt;RESPUESTA&gt;&lt;RESP_HDR&gt;&lt;ESTADO&gt;EPR&lt;/ESTADO&gt;&lt;/RESP_HDR&gt;&lt;/RESPUESTA&gt;</ns1:getEstUpReturn></b></e>`))
	f.Add([]byte(`{"estado":"EPR","estadistica":[{"rechazados":1}],"detalle_rep_rech":[{"error":[{"codigo":3}]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if a, err := readSOAP("getEstUp", reply{Status: 200, Body: body}); err == nil && a.State == "" {
			t.Errorf("%q has a state without one", body)
		}
		if s, err := readReceiptEnvelope("x", reply{Status: 200, Body: body}); err == nil && s.code == "" {
			t.Errorf("%q has a state without one", body)
		}
	})
}
