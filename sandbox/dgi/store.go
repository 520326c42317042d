package dgi

import (
	"context"
	"database/sql"

	"folio/sandbox/desk"
)

// databaseFile is the name of the database in the sandbox's folder.
const databaseFile = "dgi-sandbox.db"

const tables = `
CREATE TABLE IF NOT EXISTS cae (
	number TEXT PRIMARY KEY, ruc TEXT NOT NULL, type INTEGER NOT NULL, series TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
	kind TEXT NOT NULL, issued TEXT NOT NULL, expires TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS special (number TEXT PRIMARY KEY, special INTEGER NOT NULL, cause INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS envelope (
	id INTEGER PRIMARY KEY AUTOINCREMENT, environment TEXT NOT NULL, ruc TEXT NOT NULL, idemisor INTEGER NOT NULL, sha256 TEXT NOT NULL,
	at INTEGER NOT NULL, ready INTEGER NOT NULL, token TEXT NOT NULL, stuck INTEGER NOT NULL, partial INTEGER NOT NULL, told INTEGER NOT NULL,
	UNIQUE (environment, ruc, idemisor));
CREATE TABLE IF NOT EXISTS document (
	environment TEXT NOT NULL, ruc TEXT NOT NULL, type INTEGER NOT NULL, series TEXT NOT NULL, number INTEGER NOT NULL,
	envelope INTEGER NOT NULL, ordinal INTEGER NOT NULL, body TEXT NOT NULL,
	PRIMARY KEY (environment, ruc, type, series, number, envelope, ordinal)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS document_envelope ON document (envelope);
CREATE TABLE IF NOT EXISTS report (
	id INTEGER PRIMARY KEY AUTOINCREMENT, environment TEXT NOT NULL, ruc TEXT NOT NULL, date TEXT NOT NULL, sequence INTEGER NOT NULL,
	sha256 TEXT NOT NULL, at INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (environment, ruc, date, sequence));
CREATE TABLE IF NOT EXISTS reported (
	environment TEXT NOT NULL, ruc TEXT NOT NULL, date TEXT NOT NULL, type INTEGER NOT NULL, series TEXT NOT NULL,
	first INTEGER NOT NULL, last INTEGER NOT NULL, annulled INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS reported_number ON reported (environment, ruc, type, series, first);`

// store is the authority's memory.
type store struct{ desk.Database }

// addCAE keeps a CAE under the next number of its year.
func (st store) addCAE(ctx context.Context, a *authorization) error {
	return st.Within(ctx, func(tx *sql.Tx) error {
		year, sequence := a.Issued[2:4], 0
		err := tx.QueryRowContext(ctx, `SELECT coalesce(max(substr(number, 5, 6)), 0) FROM cae WHERE number LIKE '90'||?||'%'`, year).Scan(&sequence)
		if err != nil {
			return err
		}
		for exists := false; !exists; {
			sequence++
			a.Number, exists = caeNumber(year, sequence)
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO cae VALUES (?,?,?,?,?,?,?,?,?)`,
			a.Number, a.RUC, a.Type, a.Series, a.From, a.To, a.Kind, a.Issued, a.Expires)
		if err == nil && a.Special != 0 {
			_, err = tx.ExecContext(ctx, `INSERT INTO special VALUES (?,?,?)`, a.Number, a.Special, a.Cause)
		}
		return err
	})
}
