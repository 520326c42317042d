package desk

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A bubble's clock stands still while somebody holds a lock and waits in SQLite, whose
// waits are by the clock.
func TestWaitingForTheDatabaseTakesNoTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, err := OpenDatabase(t.Context(), t.TempDir(), "d.db", `CREATE TABLE line (name TEXT)`)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		began, held := time.Now(), begin(db)
		next := make(chan *sql.Tx)
		go func() { next <- begin(db) }()
		synctest.Wait()
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := db.BeginTx(impatient, nil); err == nil {
			t.Error("two transactions at once")
		}
		if waited := time.Since(began); waited != time.Second {
			t.Errorf("the impatient one waited %s", waited)
		}
		if err := errors.Join(held.Commit(), (<-next).Commit()); err != nil {
			t.Error(err)
		}
		if waited := time.Since(began); waited != time.Second {
			t.Errorf("the patient one waited until %s", waited)
		}
	})
}

func begin(db Database) *sql.Tx {
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		panic(err)
	}
	return tx
}
