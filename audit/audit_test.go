package audit_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"folio/audit"
)

func TestAWholeExport(t *testing.T) {
	e := newExport(t)
	file := filepath.Join(t.TempDir(), "x.zip")
	if err := os.WriteFile(file, e.zip(), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := audit.VerifyFile(file, e.key+"\n")
	if err != nil {
		t.Fatal(err)
	}
	if r.Events != 9 || r.Invoices != 2 || r.Documents != 2 || r.Files != 3 || r.Origin != "folio.example/log/T" ||
		r.Size != 18 || !r.Manifest.Whole() {
		t.Errorf("%+v", r)
	}
}

func TestAKeyMayBeInAFile(t *testing.T) {
	const key = "folio.example/log/T+18cbc8ff+AQnTx"
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, given := range []string{file, key, key + "\n"} {
		if got, err := audit.ReadKey(given); got != key || err != nil {
			t.Errorf("%q: %q, %v", given, got, err)
		}
	}
	if _, err := audit.ReadKey(file + "s"); err == nil || !strings.Contains(err.Error(), "/log/key") {
		t.Errorf("no file: %v", err)
	}
}

// Each attack is made twice: as it is, and with the manifest made anew by somebody who does not have the log's key.
// Want
// is the place that is named; anew is that of the second, where it is another one.
var attacks = []struct {
	name       string
	attack     func(e *export)
	want, anew string
}{
	{"a PDF is exchanged for another invoice's", func(e *export) { e.put(pdfName, pdf(second)) }, pdfName, ""},
	{"a byte of a PDF is changed", func(e *export) { e.change(pdfName, "%%EOF", "%%EOG") }, pdfName,
		audit.ManifestName},
	{"a PDF is removed", func(e *export) { e.remove(pdfName) }, pdfName, ""},
	{"a PDF is removed, and its name in the table", func(e *export) {
		e.remove(pdfName)
		e.change("invoices.csv", pdfName, "")
	}, pdfName, "documents/"},
	{"the invoice that waits is printed", func(e *export) { e.put("documents/x_"+second+".pdf", pdf(second)) },
		"documents/x_" + second + ".pdf", ""},
	{"the signed XML says something else", func(e *export) { e.change(xmlName, "signed", "Signed") }, xmlName, ""},
	{"a byte of data is changed", func(e *export) { e.change("events.ndjson", `Pan`, `pan`) }, "events.ndjson, line 2",
		""},
	{"a byte of metadata is changed", func(e *export) { e.change("events.ndjson", `\"schema\":1`, `\"schema\":2`) },
		"events.ndjson, line 1", ""},
	{"a type is changed", func(e *export) { e.change("events.ndjson", "AuthorityAccepted", "AuthorityRejected") },
		"events.ndjson, line 7", ""},
	{"a revision is changed", func(e *export) { e.change("events.ndjson", `"revision":3`, `"revision":4`) },
		"events.ndjson, line 7", ""},
	{"what is no text is changed", func(e *export) { e.change("events.ndjson", `eyJoYXNo`, `eyJoYXNp`) },
		"events.ndjson, line 9", ""},
	{"an event is removed", func(e *export) { e.cut("events.ndjson", 3) }, "events.ndjson, line 3", ""},
	{"an event is removed with its proof", func(e *export) {
		e.cut("events.ndjson", 4)
		e.cut("proofs.ndjson", 4)
	}, "events.ndjson, line 5", ""},
	{"the last event is removed with its proof", func(e *export) {
		e.cut("events.ndjson", 9)
		e.cut("proofs.ndjson", 9)
	}, "events.ndjson, line 8", ""},
	{"a proof is removed", func(e *export) { e.cut("proofs.ndjson", 5) }, "proofs.ndjson, line 5", ""},
	{"the last proof is removed", func(e *export) { e.cut("proofs.ndjson", 9) }, "proofs.ndjson, line 9", ""},
	{"a salt is changed", func(e *export) { e.change("proofs.ndjson", `"salt":"`, `"salt":"AAAA`) },
		"events.ndjson, line 1", ""},
	{"a line is no JSON", func(e *export) { e.change("events.ndjson", `{"leaf":3`, `{"leaf:3`) }, "events.ndjson, line 2",
		""},
	{"a file is added", func(e *export) { e.put("files/note.txt", "x") }, "files/note.txt", ""},
	{"a file is added beside the others", func(e *export) { e.put("more.txt", "x") }, "more.txt", ""},
	{"a file is there twice", func(e *export) { e.parts = append(e.parts, part{sentName, sent}) }, sentName, ""},
	{"a part is missing", func(e *export) { e.remove("calls.csv") }, "calls.csv", ""},
	{"what was sent is changed", func(e *export) { e.change(sentName, "signed", "Signed") }, sentName, ""},
	{"an answer is removed", func(e *export) { e.remove(callName) }, callName,
		strings.TrimSuffix(callName, ".xml")},
	{"an answer is changed", func(e *export) { e.change(callName, "OK", "NO") }, callName, ""},
	{"the table of calls names another file", func(e *export) { e.change("calls.csv", callName, sentName) },
		"calls.csv, line 2", ""},
	{"the README is changed", func(e *export) { e.change("README.txt", "read", "burn") }, "README.txt",
		audit.ManifestName},
	{"an amount in the table", func(e *export) { e.change("invoices.csv", "119.0", "118.0") },
		"invoices.csv, line 2", ""},
	{"a name in the table", func(e *export) { e.change("invoices.csv", "Otro", "Nadie") }, "invoices.csv, line 3", ""},
	{"an amount in the records", func(e *export) { e.change("invoices.json", "119.0", "118.0") },
		"invoices.json, line 2", ""},
	{"an item in the records", func(e *export) { e.change("invoices.json", "100.00", "1.00") },
		"invoices.json, line 2", ""},
	{"a state in the records", func(e *export) { e.change("invoices.json", "Pending", "Rejected") },
		"invoices.json, line 3", ""},
	{"a record is removed", func(e *export) {
		e.put("invoices.json", "[\n"+record(first, "=Ñandú", `"0000-00000001"`, "Accepted", `{"code":"77"}`)+"\n]\n")
	}, "invoices.json, line 3", ""},
	{"the records are cut", func(e *export) { e.put("invoices.json", "[\n") }, "invoices.json, line 2", ""},
	{"the checkpoint is of another size", func(e *export) { e.change("checkpoint.txt", "\n18\n", "\n17\n") },
		"checkpoint.txt", ""},
}

func TestAttacks(t *testing.T) {
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			e := newExport(t)
			a.attack(e)
			named(t, e, e.key, a.want)
			forger, _, err := note.GenerateKey(rand.Reader, "folio.example/log/T")
			if err != nil {
				t.Fatal(err)
			}
			if e.sign, err = note.NewSigner(forger); err != nil {
				t.Fatal(err)
			}
			manifest := e.get(audit.SignatureName)
			if a.name != "a file is there twice" {
				e.manifest()
			}
			want := a.want
			if a.anew != "" {
				want = a.anew
			}
			if want == audit.ManifestName {
				named(t, e, e.key, audit.SignatureName) // signed by the forger
				e.put(audit.SignatureName, manifest)    // or with the signature that it had
			}
			named(t, e, e.key, want)
		})
	}
}

// named wants the difference at a place.
func named(t *testing.T, e *export, key, place string) {
	t.Helper()
	_, err := e.verify(key)
	var d *audit.Difference
	if !errors.As(err, &d) || !strings.HasPrefix(err.Error(), place+": ") {
		t.Errorf("%v, want %s", err, place)
	}
}

// A key of somebody else's verifies nothing, and what is no key is told.
func TestKeys(t *testing.T) {
	e := newExport(t)
	_, other, err := note.GenerateKey(rand.Reader, "folio.example/log/T")
	if err != nil {
		t.Fatal(err)
	}
	named(t, e, other, "checkpoint.txt")
	signer := strings.Join(strings.SplitN(e.key, "+", 3)[:2], "+") // name and hash: "+" may stand in what is behind, too
	if _, err := e.verify(other); err == nil || !strings.Contains(err.Error(), "it is signed by "+signer) {
		t.Errorf("whose key it needs: %v", err)
	}
	if _, err := e.verify("nonsense"); err == nil || errors.As(err, new(*audit.Difference)) {
		t.Errorf("what is no key: %v", err)
	}
}

// Whoever has an older key follows the rotations to the one that signed.
func TestAnOlderKeyHandsOver(t *testing.T) {
	e := newExport(t)
	secret, old, err := note.GenerateKey(rand.Reader, "folio.example/log/T")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	statement, err := note.Sign(&note.Note{Text: "folio key rotation\nT\n" + old + "\n" + e.key + "\n"}, signer)
	if err != nil {
		t.Fatal(err)
	}
	e.put("rotations.txt", string(statement))
	e.manifest()
	if r, err := e.verify(old); err != nil || r.Rotations != 1 || r.Key != e.key {
		t.Errorf("%+v, %v", r, err)
	}
	e.change("rotations.txt", "\nT\n", "\nU\n")
	e.manifest()
	named(t, e, old, "checkpoint.txt")
}

// A file that is cut off, or has a byte that its archive did not expect, is told as such.
func TestDamage(t *testing.T) {
	content := newExport(t).zip()
	if _, err := audit.Verify(bytes.NewReader(content[:len(content)-100]), int64(len(content)-100), "k"); err == nil ||
		!strings.Contains(err.Error(), "a part of one") {
		t.Errorf("cut off: %v", err)
	}
	at := bytes.Index(content, []byte("PK\x03\x04")) + 30 + len("README.txt")
	content[at+1] ^= 0xff
	if _, err := audit.Verify(bytes.NewReader(content), int64(len(content)), newExport(t).key); err == nil {
		t.Error("a byte of the archive was changed")
	}
}

// Whatever the bytes are, they are refused or verified, and nothing panics.
func FuzzVerify(f *testing.F) {
	e := newExport(f)
	f.Add(e.zip())
	f.Fuzz(func(_ *testing.T, content []byte) {
		_, _ = audit.Verify(bytes.NewReader(content), int64(len(content)), e.key)
	})
}

// What an event, a proof or a record says is never trusted to have the right shape.
func FuzzParts(f *testing.F) {
	for _, p := range newExport(f).parts {
		f.Add(p.name, p.content)
	}
	e := newExport(f)
	f.Fuzz(func(_ *testing.T, name, content string) {
		x := *e
		x.parts = slices.Clone(e.parts)
		x.put(name, content)
		x.manifest()
		_, _ = x.verify(e.key)
	})
}
