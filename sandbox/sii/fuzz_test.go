package sii

import "testing"

// FuzzEnvelopes: whatever is uploaded, reading it ends with a set or with a reason.
func FuzzEnvelopes(f *testing.F) {
	const head = `<?xml version="1.0" encoding="ISO-8859-1"?>`
	f.Add([]byte(head+`<EnvioDTE xmlns="http://www.sii.cl/SiiDte" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.sii.cl/SiiDte EnvioDTE_v10.xsd" version="1.0"><SetDTE ID="S"><Caratula version="1.0"><RutEmisor>1-9</RutEmisor></Caratula><DTE version="1.0"></DTE></SetDTE><Signature/></EnvioDTE>`), false)
	f.Add([]byte(head+"<a>\xf1</a>"), true)
	f.Add([]byte("<!DOCTYPE x>"), false)
	f.Fuzz(func(t *testing.T, file []byte, receipt bool) {
		set, err := readSet(file, receipt)
		if err == nil && (len(set.documents) == 0 || set.cover["RutEmisor"] == "") {
			t.Errorf("%q was read as an envelope without issuer or documents", file)
		}
	})
}
