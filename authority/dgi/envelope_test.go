package dgi

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"folio/authority"
	"folio/authority/wire"
	"folio/country/uy"
)

func TestEnvelopesHaveNumbersOfTheirOwn(t *testing.T) {
	seen := map[int64]string{}
	for _, code := range numbered {
		for letter := 'A'; letter <= 'Z'; letter++ {
			for _, first := range []int64{1, 2, 9_999_999} {
				name := fmt.Sprint(code, string(letter), first)
				id := envelopeID(code, string(letter), first)
				if id <= perSlot || id > 9_999_999_999 {
					t.Errorf("%s: %d has more than ten digits, or is one of another system's", name, id)
				}
				if seen[id] != "" {
					t.Errorf("%s and %s have the number %d", name, seen[id], id)
				}
				seen[id] = name
			}
		}
		if slices.Contains(issued[:], code) {
			for letter := 'A'; letter <= 'Z'; letter++ {
				name, id := fmt.Sprint("alone ", code, string(letter)), aloneID(code, string(letter), 9_999_999)
				if id > 9_999_999_999 || seen[id] != "" {
					t.Errorf("%s and %s have the number %d", name, seen[id], id)
				}
				seen[id] = name
			}
		}
		for _, series := range []string{"AA", "ZZ", "1A", "9Z"} {
			id := envelopeID(code, series, 9_999_999)
			if id > 9_999_999_999 || seen[id] != "" && !strings.HasPrefix(seen[id], "alone") {
				t.Errorf("%d %s: %d, as %s", code, series, id, seen[id])
			}
			if alone := aloneID(code, series, 9_999_999); alone > 9_999_999_999 || alone <= int64(perSlot*ownSlots) ||
				alone == id {
				t.Errorf("%d %s alone: %d, together %d", code, series, alone, id)
			}
		}
	}
}

func TestWhatIsIssuedHasNumbersForGoingAlone(t *testing.T) {
	for _, kind := range (uy.Rules{}).DocumentTypes() {
		if !slices.Contains(issued[:], kind.Code) {
			t.Errorf("%d may share its Idemisor with another type's", kind.Code)
		}
	}
}

// A driver that starts anew must find the envelopes of the one before it.
func TestNumbersOfEnvelopesStay(t *testing.T) {
	for _, c := range []struct {
		code   int
		series string
		first  int64
		want   int64
	}{
		{101, "A", 1, 10_000_001}, {111, "A", 1, 790_000_001}, {182, "Z", 9_999_999, 5_469_999_999},
		{111, "AA", 7, 7_470_000_007}, {101, "1A", 7, 6_160_000_007},
	} {
		if got := envelopeID(c.code, c.series, c.first); got != c.want {
			t.Errorf("%d %s %d: %d, want %d", c.code, c.series, c.first, got, c.want)
		}
	}
	for _, c := range []struct {
		code   int
		series string
		number int64
		want   int64
	}{
		{101, "A", 1, 5_470_000_001}, {111, "A", 1, 6_250_000_001}, {181, "Z", 9_999_999, 8_329_999_999},
		{111, "AA", 7, 7_480_000_007},
	} {
		if got := aloneID(c.code, c.series, c.number); got != c.want {
			t.Errorf("alone %d %s %d: %d, want %d", c.code, c.series, c.number, got, c.want)
		}
	}
}

func TestOurEnvelopesAreKnownAgain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		code, first := numbered[rnd.IntN(len(numbered))], rnd.Int64N(9_999_000)+1
		series := string(rune('A' + rnd.IntN(26)))
		id, place := envelopeID(code, series, first), rnd.Int64N(maxBatch)
		if !ourEnvelope(id, code, series, first+place) {
			t.Errorf("%d%s %d in the envelope from %d on", code, series, first+place, first)
		}
		if ourEnvelope(id, code, series, first-1) || ourEnvelope(id, code, series, first+maxBatch) ||
			ourEnvelope(rnd.Int64N(perSlot), code, series, first) {
			t.Errorf("%d%s %d: what is not ours", code, series, first)
		}
		if alone := aloneID(code, series, first); !ourEnvelope(alone, code, series, first) ||
			ourEnvelope(alone, code, series, first+1) {
			t.Errorf("%d%s %d alone", code, series, first)
		}
	}
}

func TestWhatCounts(t *testing.T) {
	for _, c := range []struct {
		name        string
		endpoints   Endpoints
		environment authority.Environment
		fiscal      bool
	}{
		{"DGI's production", Production, authority.Production, true},
		{"a sandbox in its place", EndpointsAt("production", "http://localhost/uy/production"), authority.Production, false},
		{"DGI's test environment", Test, authority.Testing, false},
		{"a test certificate at production", Production, authority.Testing, false},
	} {
		if got := (talk{Client: New(Options{Endpoints: c.endpoints})}).fiscal(
			authority.Credential{Environment: c.environment}); got != c.fiscal {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// What DGI answers is foreign: whatever it is, nothing is decided by an answer without
// states, and no verdict falls on a document outside the envelope.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`<e><b><xmlData><![CDATA[<ACKSobre><Caratula><IDReceptor>1</IDReceptor></Caratula><Detalle><Estado>AS</Estado><ParamConsulta><Token>YQ==</Token><Fechahora>2026-11-27T12:00:00-03:00</Fechahora></ParamConsulta></Detalle></ACKSobre>]]></xmlData></b></e>`))
	f.Add([]byte(`<e><xmlData>&lt;ACKCFE&gt;&lt;ACKCFE_Det&gt;&lt;Nro_ordinal&gt;2&lt;/Nro_ordinal&gt;&lt;Estado&gt;BE&lt;/Estado&gt;&lt;/ACKCFE_Det&gt;&lt;/ACKCFE&gt;</xmlData></e>`))
	f.Add([]byte(`<Ackconsultaestadocfe><EstadoCFE>AE</EstadoCFE><IdEmisor>790000001</IdEmisor><IdReceptor>3</IdReceptor></Ackconsultaestadocfe>`))
	f.Add([]byte(`<Respuestas><Respuesta><codigo>108</codigo></Respuesta></Respuestas>`))
	f.Add([]byte(`<html>`))
	f.Add([]byte("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><Fault><faultstring>\xf1</faultstring></Fault>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		a, err := readReply(sendEnvelope, wire.Reply{Status: 200, Body: body})
		if err != nil {
			return
		}
		if !a.whole() || len(a.Errors) > 0 {
			t.Errorf("%q was taken for an answer", body)
		}
		r := receipt{Documents: []kept{{signed: signed{Type: 111, Series: "A", Number: 1}}}}
		r.received(a.Cover.Receiver, a.Detail.Ask, false)
		r.decide(a.Details)
		if r.Documents[0].State != "" && len(a.Details) == 0 {
			t.Errorf("%q decided", body)
		}
		_ = refusedEnvelope(a.Detail.Reasons, 2).Error()
	})
}
