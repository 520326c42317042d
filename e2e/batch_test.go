package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
)

// batchRow is the answer of a row.
type batchRow struct {
	Row     int
	Status  int
	Invoice struct{ ID string }
}

// batch sends rows and reads so many answers; then it leaves.
func (c company) batch(t *testing.T, rows []byte, most int) (got []batchRow) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.base+"/api/invoices/batch", bytes.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-ndjson")
	r.Header.Set("X-Api-Key", c.key)
	answer, err := transport.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for len(got) < most && lines.Scan() {
		var row batchRow
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err, lines.Text())
		}
		got = append(got, row)
	}
	return got
}

// A batch that a crash breaks off is sent again as it was: each row has one effect.
func TestABatchThatIsKilledHasOneEffectARow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, unlimited...)
	c := issuing(t, p, dir, 1)
	const made = 24
	var rows bytes.Buffer
	for i := range made {
		row := body("FCA", 1, "batch")
		row["idempotency_key"] = fmt.Sprint("row-", i)
		if err := json.NewEncoder(&rows).Encode(row); err != nil {
			t.Fatal(err)
		}
	}
	before := c.batch(t, rows.Bytes(), 5)
	p.kill()
	p.dies(t, "five rows are answered")
	p = serve(t, dir, unlimited...)
	c.base = p.base
	after := c.batch(t, rows.Bytes(), made)
	for i, row := range after {
		if row.Row != i+1 || row.Status != http.StatusCreated || i < len(before) && row != before[i] {
			t.Errorf("row %d is %+v", i, row)
		}
	}
	if len(before) != 5 || len(after) != made {
		t.Errorf("%d and %d rows", len(before), len(after))
	}
	eventually(t, verdictLimit, "every row is shown", func() (string, bool) {
		l := get[list](t, c.client, "/api/invoices?external_reference=batch")
		return fmt.Sprint(l.TotalResults), l.TotalResults >= made
	})
	c.settle(t, verdictLimit)
	if l := get[list](t, c.client, "/api/invoices?external_reference=batch"); l.TotalResults != made {
		t.Errorf("%d invoices of %d rows", l.TotalResults, made)
	}
	consecutive(t, c.all(t))
	p.stop(t)
}
