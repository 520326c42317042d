package sii_test

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"testing"

	"folio/events"
	siisandbox "folio/sandbox/sii"
)

// uncounting takes the counters out of what SII says of an envelope.
type uncounting struct{ http.RoundTripper }

var counters = regexp.MustCompile(`&lt;TIPO_DOCTO.*/REPAROS&gt;|"estadistica":\[[^\]]*\]`)

func (u uncounting) RoundTrip(r *http.Request) (*http.Response, error) {
	a, err := u.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(a.Body)
	a.Body.Close()
	body = counters.ReplaceAllFunc(body, func(found []byte) []byte {
		if found[0] == '"' {
			return []byte(`"estadistica":null`)
		}
		return nil
	})
	a.Body, a.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	a.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return a, err
}

// An envelope that was processed (EPR) and whose answer counts no document does not say
// that ours was accepted: the document is asked for, and waited for where it is not shown.
func TestAnEnvelopeThatCountsNothingSettlesNothing(t *testing.T) {
	for _, kind := range []string{"FAC", "BOL"} {
		for want, code := range map[events.Result]string{events.Accepted: "", events.Rejected: "HED-3-340"} {
			t.Run(kind+" "+string(want), func(t *testing.T) {
				w := newWorld(t)
				w.line.RoundTripper = uncounting{w.line.RoundTripper}
				if code != "" {
					w.next(map[string]string{"FAC": "DTEUpload", "BOL": "boleta.electronica.envio"}[kind],
						siisandbox.Fault{Effect: siisandbox.Reject, Code: code})
				}
				b := w.batch(kind, 0, 1)
				a, err := w.send(b, w.prepare(b))
				if err != nil || len(a.Outcomes) != 1 || a.Outcomes[0].Result != want {
					t.Errorf("%+v, %v", a, err)
				}
			})
		}
	}
}
