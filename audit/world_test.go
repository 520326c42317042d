package audit_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"folio/audit"
)

// part is a file of an archive.
type part struct{ name, content string }

// export is an archive that is being put together, or attacked.
type export struct {
	t     testing.TB
	parts []part
	key   string // that the auditor has
	sign  note.Signer
	tree  *tree
}

// tree is the log's, with every hash of it.
type tree struct {
	hashes []tlog.Hash
	size   int64
}

func (r *tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		out[i] = r.hashes[index]
	}
	return out, nil
}

const (
	company  = "01KJQ8K2P3TTV1EYB5W0ZC9FGH"
	first    = "01KJQ8M5ZV4W6R0S8N3XHYD2AB"
	second   = "01KJQ8M5ZV4W6R0S8N3XHYD2AC"
	sent     = "<Envio><DTE n='1'>signed</DTE></Envio>"
	answer   = "<Respuesta>OK</Respuesta>"
	series   = "numbering-" + company + "-Production-33-0"
	sentName = "files/" + series + "/000000-sent.xml"
	pdfName  = "documents/FAC-1_" + first + ".pdf"
	xmlName  = "documents/FAC-1_" + first + ".xml"
	callName = "files/" + series + "/000001-01-Upload-answer.xml"
)

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

func created(id, name string) string {
	return fmt.Sprintf(`{"invoice":%q,"company":%q,"country":"CL","document":{"type":"FAC","date":"2026-11-02 10:00:00",`+
		`"recipient":{"legal_name":%q,"document_number":"1-9"},"currency":{"code":"CLP"},"items":[{"quantity":"1",`+
		`"unit_price":"100","description":"Pan"}],"totals":{"sub_total":"100","total":"119"}}}`, id, company, name)
}

// facts are those of a company with an accepted invoice and one that waits.
func facts() []audit.Event {
	return []audit.Event{
		{Stream: "company-" + company, Type: "CompanyRegistered", Data: fmt.Sprintf(`{"company":%q}`, company)},
		{Stream: "invoice-" + first, Type: "InvoiceCreated", Data: created(first, "=Ñandú")},
		{Stream: series, Type: "SubmissionOpened", Data: fmt.Sprintf(`{"submission":"S","invoices":[%q],"sha256":%q}`, first,
			sum(sent))},
		{Stream: "invoice-" + first, Revision: 1, Type: "SubmissionStarted", Data: `{"submission":"S","number":1}`},
		{Stream: series, Revision: 1, Type: "SubmissionSettled",
			Data: fmt.Sprintf(`{"submission":"S","calls":[{"operation":"Upload","request":%q,"answer":%q}]}`, sum(sent),
				sum(answer))},
		{Stream: "invoice-" + first, Revision: 2, Type: "NumberAssigned", Data: `{"branch_office":0,"number":1}`},
		{Stream: "invoice-" + first, Revision: 3, Type: "AuthorityAccepted",
			Data: `{"submission":"S","authorization":{"code":"77"}}`},
		{Stream: "invoice-" + second, Type: "InvoiceCreated", Data: created(second, "Otro")},
		{Stream: "idempotency-" + company + "-k", Type: "RequestAccepted", Data: "{\"hash\":\"\xff\"}"}, // no text
	}
}

func record(id, name, number, status, code string) string {
	return fmt.Sprintf(`{"id":%q,"id_company":%q,"number":%s,"invoice_type":"FAC","invoice_date":"2026-11-02",`+
		`"external_reference":"","status":%q,"recipient":{"legal_name":%q,"document_number":"1-9"},"currency":{"code":"CLP"},`+
		`"items":[{"quantity":1,"unit_price":100.00,"description":"Pan"}],"totals":{"sub_total":100,"total":119.0},`+
		`"electronic_authorization":%s}`, id, company, number, status, name, code)
}

func pdf(id string) string {
	out := []byte("%PDF-1.3\n/Subject (\xfe\xff")
	for _, unit := range utf16.Encode([]rune(id)) {
		out = append(out, byte(unit>>8), byte(unit))
	}
	return string(append(out, ")\n%%EOF"...))
}

const header = "\ufeffid,number,invoice_type,invoice_date,status,recipient,recipient_document,currency,total," +
	"authorization,pdf,xml\n"

// newExport is whole.
func newExport(t testing.TB) *export {
	secret, key, err := note.GenerateKey(nil, "folio.example/log/T")
	if err != nil {
		t.Fatal(err)
	}
	e := &export{t: t, key: key, tree: &tree{}}
	if e.sign, err = note.NewSigner(secret); err != nil {
		t.Fatal(err)
	}
	e.put("README.txt", "read me")
	e.put("invoices.json", "[\n"+record(first, "=Ñandú", `"0000-00000001"`, "Accepted", `{"code":"77"}`)+",\n"+
		record(second, "Otro", "null", "Pending", "null")+"\n]\n")
	e.put("invoices.csv", header+first+",0000-00000001,FAC,2026-11-02,Accepted,'=Ñandú,1-9,CLP,119.0,77,"+pdfName+","+
		xmlName+"\n"+second+",,FAC,2026-11-02,Pending,Otro,1-9,CLP,119,,,\n")
	request := strings.Replace(callName, "answer", "request", 1)
	e.put("calls.csv", "time,operation,stream,revision,request,answer\nnow,Upload,"+series+",1,"+request+","+
		callName+"\n")
	e.put("rotations.txt", "")
	e.put(pdfName, pdf(first))
	e.put(xmlName, "<?xml version=\"1.0\"?>\n<DTE n='1'>signed</DTE>")
	e.put(sentName, sent)
	e.put(request, sent)
	e.put(callName, answer)
	e.seal(facts())
	e.manifest()
	return e
}

// seal writes events, proofs and checkpoint. Other leaves of the log stand between them.
func (e *export) seal(all []audit.Event) {
	salts := make([][]byte, len(all))
	for i := range all {
		e.leaf([]byte("another company's"))
		all[i].Leaf, all[i].ID, all[i].Metadata = e.tree.size, fmt.Sprint("id-", i), `{"schema":1}`
		salt := sha256.Sum256([]byte{byte(i)})
		salts[i] = salt[:]
		commitment := salt[:]
		for _, f := range []string{all[i].Stream, fmt.Sprint(all[i].Revision), all[i].Type, all[i].ID, all[i].Data,
			all[i].Metadata} {
			commitment = append(binary.BigEndian.AppendUint64(commitment, uint64(len(f))), f...)
		}
		entry := sha256.Sum256(commitment)
		e.leaf(entry[:])
	}
	root, err := tlog.TreeHash(e.tree.size, e.tree)
	e.must(err)
	var events, proofs string
	for i, x := range all {
		path, err := tlog.ProveRecord(e.tree.size, x.Leaf, e.tree)
		e.must(err)
		p := audit.Proof{Leaf: x.Leaf, Salt: base64.StdEncoding.EncodeToString(salts[i])}
		for _, h := range path {
			p.Path = append(p.Path, h.String())
		}
		if strings.Contains(x.Data, "\xff") {
			x.Encoding = "base64"
			x.Data, x.Metadata = base64.StdEncoding.EncodeToString([]byte(x.Data)),
				base64.StdEncoding.EncodeToString([]byte(x.Metadata))
		}
		events, proofs = events+e.json(x)+"\n", proofs+e.json(p)+"\n"
	}
	e.put("events.ndjson", events)
	e.put("proofs.ndjson", proofs)
	e.put("checkpoint.txt", e.signed(fmt.Sprintf("folio.example/log/T\n%d\n%s\n", e.tree.size, root)))
}

func (e *export) leaf(entry []byte) {
	more, err := tlog.StoredHashes(e.tree.size, entry, e.tree)
	e.must(err)
	e.tree.hashes, e.tree.size = append(e.tree.hashes, more...), e.tree.size+1
}

func (e *export) signed(text string) string {
	out, err := note.Sign(&note.Note{Text: text}, e.sign)
	e.must(err)
	return string(out)
}

// manifest lists the files anew; the signature is made by whoever has a key.
func (e *export) manifest() {
	e.remove(audit.ManifestName)
	e.remove(audit.SignatureName)
	head := e.json(audit.Manifest{Format: audit.Format, Company: company, Country: "CL", Events: 9, Invoices: 2})
	var files []string
	for _, p := range e.parts {
		files = append(files, e.json(audit.Entry{Name: p.name, Size: int64(len(p.content)), SHA256: sum(p.content)}))
	}
	m := strings.TrimSuffix(head, "}") + `,"files":[` + strings.Join(files, ",\n") + "]}\n"
	e.put(audit.ManifestName, m)
	e.put(audit.SignatureName, e.signed(audit.Statement("folio.example/log/T", sum(m))))
}

func (e *export) json(v any) string {
	out, err := json.Marshal(v)
	e.must(err)
	return string(out)
}

func (e *export) must(err error) {
	if err != nil {
		e.t.Helper()
		e.t.Fatal(err)
	}
}

func (e *export) put(name, content string) {
	e.remove(name)
	e.parts = append(e.parts, part{name, content})
}

func (e *export) remove(name string) {
	e.parts = slices.DeleteFunc(e.parts, func(p part) bool { return p.name == name })
}

func (e *export) get(name string) string {
	for _, p := range e.parts {
		if p.name == name {
			return p.content
		}
	}
	e.t.Fatalf("no %s", name)
	return ""
}

// change replaces a text in a file, where it stands first.
func (e *export) change(name, old, now string) {
	e.t.Helper()
	was := e.get(name)
	if !strings.Contains(was, old) {
		e.t.Fatalf("%s does not have %q", name, old)
	}
	e.put(name, strings.Replace(was, old, now, 1))
}

// line takes a line out of a file.
func (e *export) cut(name string, line int) {
	all := strings.SplitAfter(e.get(name), "\n")
	e.put(name, strings.Join(slices.Delete(all, line-1, line), ""))
}

// zip is the archive.
func (e *export) zip() []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, p := range e.parts {
		f, err := w.Create(p.name)
		e.must(err)
		_, err = f.Write([]byte(p.content))
		e.must(err)
	}
	e.must(w.Close())
	return out.Bytes()
}

func (e *export) verify(key string) (audit.Report, error) {
	content := e.zip()
	return audit.Verify(bytes.NewReader(content), int64(len(content)), key)
}
