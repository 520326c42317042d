package sii

import (
	"errors"
	"fmt"
	"testing"

	"folio/authority"
)

// Every ESTADO of an envelope that SII's manuals and users name, and one that nobody
// names: what is not known is waited for.
func TestStatesOfAnEnvelope(t *testing.T) {
	for code, want := range map[string]verdict{
		"REC": waiting, "SOK": waiting, "CRT": waiting, "FOK": waiting, "PRD": waiting, "PDR": waiting, "RCO": waiting,
		"XYZ": waiting,
		"EPR": accepted, "RLV": accepted, "RPR": accepted,
		"RSC": refused, "RFR": refused, "RCT": refused, "RCH": refused, "RPT": repeated, "VOF": absent,
	} {
		got := readEnvelope(code, "", counted{accepted: 1})
		if got.verdict != want || got.code != code {
			t.Errorf("%s: verdict %d, want %d", code, got.verdict, want)
		}
		if want != waiting && code != "EPR" && (len(got.said) != 1 || got.said[0].Code != code || got.said[0].Text == "") {
			t.Errorf("%s is not explained: %+v", code, got.said)
		}
	}
	for _, c := range []struct {
		counted   counted
		want      verdict
		said      int
		uncounted bool
	}{{counted{1, 0, 0}, accepted, 0, false}, {counted{0, 0, 1}, accepted, 1, false},
		{counted{0, 1, 0}, refused, 1, false}, {counted{0, 1, 1}, refused, 1, false},
		{counted{}, waiting, 0, true}} {
		if got := readEnvelope("EPR", "", c.counted); got.verdict != c.want || len(got.said) != c.said ||
			got.uncounted != c.uncounted {
			t.Errorf("EPR with %+v: %+v", c.counted, got)
		}
	}
}

// Words of SII's stand behind ours where it has some.
func TestARefusedUploadOfBoletasSaysWhy(t *testing.T) {
	for text, want := range map[string]string{"": "The file is too small or too large",
		"vacio": "The file is too small or too large: vacio"} {
		_, err := readReceiptUpload(reply{Status: 400, Body: []byte(`{"codigo":"2","descripcion":"` + text + `"}`)})
		if m := new(authority.Message); !errors.As(err, &m) || m.Text != want {
			t.Errorf("%q: %+v", text, m)
		}
	}
}

func TestStatesOfADocument(t *testing.T) {
	for code, want := range map[string]verdict{
		"DOK": accepted, "TMD": accepted, "TMC": accepted, "MMD": accepted, "MMC": accepted, "AND": accepted, "ANC": accepted,
		"RLV": accepted, "RPR": accepted,
		"DNK": other, "FAU": absent, "FNA": refused, "FAN": refused, "RCH": refused,
	} {
		got, err := readDocument("getEstDte", answerXML{State: code, StateTxt: "words", ErrCode: "5", ErrText: "more"})
		if err != nil || got.verdict != want || got.code != code {
			t.Errorf("%s: %+v, %v", code, got, err)
		}
		if said := len(got.said); (code == "DOK") != (said == 0) {
			t.Errorf("%s says %+v", code, got.said)
		}
	}
}

// A query that was not answered tells nothing of the document: it is asked again, with
// another token, or once somebody has put things right.
func TestQueriesThatAreNotAnswered(t *testing.T) {
	ask := map[string]error{"001": errToken, "002": errToken, "003": errToken, "106": authority.ErrCredential,
		"004": authority.ErrNotSent, "005": authority.ErrNotSent, "007": authority.ErrNotSent, "107": authority.ErrNotSent}
	for n := 1; n <= 14; n++ {
		ask[fmt.Sprint(-n)] = authority.ErrNotSent
	}
	for code, want := range ask {
		a := answerXML{State: code}
		if err := refusedQuery(a); !errors.Is(err, want) {
			t.Errorf("envelope, %s: %v, want %v", code, err, want)
		}
		if got, err := readDocument("getEstDte", a); !errors.Is(err, want) {
			t.Errorf("document, %s: %+v, %v, want %v", code, got, err, want)
		}
	}
	if _, err := readDocument("getEstDte", answerXML{State: "EMP"}); !errors.Is(err, authority.ErrCredential) {
		t.Errorf("a company that is not authorised: %v", err)
	}
	if got, err := readDocument("getEstDte", answerXML{State: "XYZ"}); err == nil || errors.Is(err, authority.ErrRefused) {
		t.Errorf("a state that nobody knows: %+v, %v", got, err)
	}
}

func TestStatusesOfAnUpload(t *testing.T) {
	for status, want := range map[string]error{"0": nil, "99": nil, "5": errToken,
		"1": authority.ErrCredential, "6": authority.ErrCredential, "2": authority.ErrRefused, "7": authority.ErrRefused,
		"8": authority.ErrRefused,
		"3": authority.ErrNotSent, "9": authority.ErrNotSent} {
		track, err := readUpload(reply{Status: 200,
			Body: []byte("<RECEPCIONDTE><STATUS>" + status + "</STATUS><TRACKID>7</TRACKID></RECEPCIONDTE>")})
		if !errors.Is(err, want) || (track == "7") != (status == "0") {
			t.Errorf("STATUS %s: %q, %v", status, track, err)
		}
	}
	definite := []error{authority.ErrNotSent, authority.ErrRefused, authority.ErrCredential, authority.ErrSeries, errToken}
	for name, body := range map[string]string{"-1": "<RECEPCIONDTE><STATUS>-1</STATUS></RECEPCIONDTE>",
		"4":    "<RECEPCIONDTE><STATUS>4</STATUS></RECEPCIONDTE>",
		"none": "<RECEPCIONDTE><TRACKID>7</TRACKID></RECEPCIONDTE>", "a page": "<html></html>",
		"no track id": "<RECEPCIONDTE><STATUS>0</STATUS></RECEPCIONDTE>"} {
		_, err := readUpload(reply{Status: 200, Body: []byte(body)})
		if err == nil {
			t.Errorf("%s was taken for a receipt", name)
		}
		for _, s := range definite {
			if errors.Is(err, s) {
				t.Errorf("%s: %v, yet it may have arrived", name, err)
			}
		}
	}
}
