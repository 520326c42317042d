package e2e

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// vouchers is what the sandbox of a stopped service authorized: CAE by kind and number.
func vouchers(t testing.TB, dir string) map[string]string {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "sandbox", "arca-sandbox.db")+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), "SELECT ptovta, tipo, desde, body FROM voucher")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names := map[int]string{1: "FCA", 3: "NCA", 6: "FCB", 9: "RCB", 11: "FCC"}
	out := map[string]string{}
	for rows.Next() {
		var office, kind, number int
		var raw string
		if err := rows.Scan(&office, &kind, &number, &raw); err != nil {
			t.Fatal(err)
		}
		var v struct{ CAE string }
		if err := json.Unmarshal([]byte(raw), &v); err != nil {
			t.Fatal(err)
		}
		out[fmt.Sprintf("%s %04d-%08d", names[kind], office, number)] = v.CAE
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
