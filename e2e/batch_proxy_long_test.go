//go:build long

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A batch that is longer than what stands in buffers comes through the proxy whole: its answer begins long before its
// last row is sent.
func TestALongBatchComesThroughTheProxy(t *testing.T) {
	f := inRollout(t)
	const made, size = 120, 240 << 10 // 28 MiB of the 32 that a batch may have
	var rows bytes.Buffer
	for i := range made {
		row := body("FCA", 1, "batch")
		row["idempotency_key"] = fmt.Sprint("row-", i)
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		rows.Write(line)
		rows.Write(append(bytes.Repeat([]byte(" "), size-len(line)), '\n'))
	}
	got := f.c.batch(t, rows.Bytes(), made)
	for i, row := range got {
		if row.Row != i+1 || row.Status != http.StatusCreated {
			t.Errorf("row %d is %+v", i+1, row)
		}
	}
	if len(got) != made {
		t.Errorf("%d rows of %d were answered", len(got), made)
	}
	large := body("FCA", 1, "batch")
	large["observations"] = strings.Repeat("x", 17<<20)
	if a, err := f.c.send(http.MethodPost, "/api/invoices", large); err != nil || // of the form that the service's have
		a.status != http.StatusRequestEntityTooLarge || !bytes.Contains(a.body, []byte(`"BODY_TOO_LARGE"`)) {
		t.Errorf("a body that is too large: %v, %d %s", err, a.status, a.body)
	}
}
