package writeapi_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"folio/commands"
	"folio/commands/invoice"
)

// worth is a request whose total is net with 21 percent of tax.
func worth(t testing.TB, net int, changes ...string) string {
	return sample(t, append([]string{
		"items", fmt.Sprintf(`[{"quantity":1,"code_unit_of_measure":"u","unit_price":%d,"description":"x","taxes":[{"type":"iva21","amount":%d,"rate":21}]}]`, net, net*21/100),
		"totals", fmt.Sprintf(`{"sub_total":%d,"discount":0,"total":%d,"taxes":[{"type":"iva21","amount":%d,"base_amount":%[1]d}]}`, net, net*121/100, net*21/100)}, changes...)...)
}

// correcting is a note of that net over references.
func correcting(t testing.TB, kind string, net int, references string, changes ...string) string {
	return worth(t, net, append([]string{"invoice_type", `"` + kind + `"`, "billing_reference", "[" + references + "]"},
		changes...)...)
}

func (w *world) issued(s shop, number int64, body string) string {
	id := w.call("POST", "/api/invoices", body, s.key).want(201).text("id")
	w.settle(id, number)
	return id
}

func byID(ids ...string) string {
	return `{"invoice_id":"` + strings.Join(ids, `"},{"invoice_id":"`) + `"}`
}

// counted accepts a note and counts it in what it corrects, as the submission does.
func (w *world) counted(note string, number int64) (position string) {
	w.t.Helper()
	s, _, err := commands.Bind(w.x, invoice.FullDecider).Load(w.t.Context(), note)
	check(w.t, err)
	for _, c := range s.Created.Corrects {
		out, err := commands.Bind(w.x, invoice.Decider).Execute(w.t.Context(), c.Invoice, invoice.CountNote{Note: note,
			Type: s.Created.Document.Type, Date: s.Created.Document.Date[:10], Portions: c.Portions},
			commands.Request{ID: commands.Derived("count", note, c.Invoice)})
		check(w.t, err)
		position = out.Position.String()
	}
	w.settle(note, number)
	return position
}

func TestANoteTakesNoMoreThanIsLeft(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	a, b := w.issued(s, 1, worth(t, 200)), w.issued(s, 2, worth(t, 400))
	foreign := `{"type":"FCA","branch_office":1,"number":99,"date":"2026-11-26"}`
	foreignOf := func(amount int) string { return strings.Replace(foreign, "}", fmt.Sprintf(`,"amount":%d}`, amount), 1) }
	part := func(id string, amount int) string { return fmt.Sprintf(`{"invoice_id":"%s","amount":%d}`, id, amount) }
	for _, c := range []struct {
		name, kind string
		net        int
		references string
		status     int
		code       string
	}{
		{"more than it", "NCA", 300, byID(a), 409, "NOTE_EXCEEDS_ORIGINAL"},
		{"a half", "NCA", 100, byID(a), 201, ""},
		{"more than the other half", "NCA", 200, byID(a), 409, "NOTE_EXCEEDS_ORIGINAL"},
		{"also by its coordinates", "NCA", 200, `{"type":"FCA","branch_office":1,"number":1,"date":"2026-11-27"}`, 409,
			"NOTE_EXCEEDS_ORIGINAL"},
		{"more than is left of two", "NCA", 600, byID(a, b), 409, "NOTE_EXCEEDS_ORIGINAL"},
		{"amounts that do not add up", "NCA", 200, part(a, 121) + "," + part(b, 120), 422, "VALIDATION_FAILED"},
		{"an amount below nothing", "NCA", 200, part(a, -1) + "," + part(b, 243), 422, "VALIDATION_FAILED"},
		{"amounts of which one is too much", "NCA", 200, part(a, 122) + "," + part(b, 120), 409, "NOTE_EXCEEDS_ORIGINAL"},
		{"amounts", "NCA", 200, part(a, 1) + "," + part(b, 241), 201, ""},
		{"what a document of another system takes is not guessed", "NCA", 900, byID(a) + "," + foreign, 409,
			"NOTE_EXCEEDS_ORIGINAL"},
		{"nor when it is named first", "NCA", 900, foreign + "," + byID(a), 409, "NOTE_EXCEEDS_ORIGINAL"},
		{"more than ours and its amount", "NCA", 900, byID(a) + "," + foreignOf(900), 409, "NOTE_EXCEEDS_ORIGINAL"},
		{"it takes what its amount says", "NCA", 900, byID(a) + "," + foreignOf(969), 201, ""},
		{"it takes the rest beside our amounts", "NCA", 900, part(b, 242) + "," + foreign, 201, ""},
		{"nothing is left of the first", "NCA", 100, byID(a), 409, "NOTE_EXCEEDS_ORIGINAL"},
		{"a debit note adds what it likes", "NDA", 900, byID(a), 201, ""},
		{"a period has no bound", "NCA", 900, `{"period_from":"2026-10-01","period_to":"2026-10-31"}`, 201, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := w.call("POST", "/api/invoices", correcting(t, c.kind, c.net, c.references), s.key)
			answer.t = t
			if c.status == 201 {
				answer.want(201)
				return
			}
			answer.fails(c.status, c.code)
			advised := strings.Contains(answer.text("detail"), "amount")
			if want := strings.Contains(c.references, foreign) && c.status == 409; advised != want {
				t.Errorf("it tells of the amount %v, want %v: %s", advised, want, answer.text("detail"))
			}
		})
	}
}

func TestANoteGoesToTheSameRecipientInTheSameCurrency(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	id := w.issued(s, 1, worth(t, 200))
	other := `{"legal_name":"Otra S.A.","document_type":"CUIT","document_number":"30712345671"}`
	w.call("POST", "/api/invoices", correcting(t, "NCA", 100, byID(id), "recipient", other), s.key).
		fails(422, "VALIDATION_FAILED", "recipient.document_number NOTE_OTHER_RECIPIENT")
	w.call("POST", "/api/invoices", correcting(t, "NDA", 100, byID(id), "recipient", other), s.key).
		fails(422, "VALIDATION_FAILED", "recipient.document_number NOTE_OTHER_RECIPIENT")
	w.call("POST", "/api/invoices", correcting(t, "NCA", 100, byID(id), "currency", `{"code":"USD","exchange_rate":1000}`),
		s.key).
		fails(422, "VALIDATION_FAILED", "currency.code NOTE_OTHER_CURRENCY")
}

func TestAWhollyCreditedInvoiceRefusesFurtherNotes(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	id := w.issued(s, 1, worth(t, 200))
	var notes []string
	for range 2 {
		notes = append(notes, w.call("POST", "/api/invoices", correcting(t, "NCA", 100, byID(id)),
			s.key).want(201).text("id"))
	}
	open := w.call("GET", "/api/invoices/"+id, "", s.key).want(200).object()
	if fmt.Sprintf("%v %v %v", open["credited_total"], open["balance"], open["cancellation_date"]) != "0 242 <nil>" ||
		len(open["notes"].([]any)) != 2 {
		t.Errorf("while the notes are open: %v %v %v %v", open["credited_total"], open["balance"], open["cancellation_date"],
			open["notes"])
	}
	w.counted(notes[0], 1)
	at := w.counted(notes[1], 2)
	whole := w.call("GET", "/api/invoices/"+id, "", s.key, "Folio-Min-Position: "+at).want(200).object()
	if fmt.Sprintf("%v %v %v", whole["credited_total"], whole["balance"],
		whole["cancellation_date"]) != "242 0 2026-11-27" {
		t.Errorf("once they are accepted: %v %v %v", whole["credited_total"], whole["balance"], whole["cancellation_date"])
	}
	again := w.call("POST", "/api/invoices", correcting(t, "NCA", 100, byID(id)), s.key)
	again.fails(409, "ALREADY_CANCELLED")
	if !strings.Contains(again.text("detail"), notes[1]) {
		t.Errorf("%s does not name note %s", again.text("detail"), notes[1])
	}
	list := w.call("GET", "/api/invoices?references="+id, "", s.key).want(200).object()
	if fmt.Sprint(list["total_results"]) != "2" || list["data"].([]any)[0].(map[string]any)["id"] != notes[1] {
		t.Errorf("the notes that name it: %v", list["total_results"])
	}
	// A debit note that names the second note gives it back.
	debit := w.call("POST", "/api/invoices", correcting(t, "NDA", 100, byID(notes[1])), s.key).want(201).text("id")
	w.call("POST", "/api/invoices", correcting(t, "NDA", 100, byID(notes[1])), s.key).fails(409, "NOTE_EXCEEDS_ORIGINAL")
	at = w.counted(debit, 1)
	back := w.call("GET", "/api/invoices/"+id, "", s.key, "Folio-Min-Position: "+at).want(200).object()
	if fmt.Sprintf("%v %v %v", back["credited_total"], back["balance"], back["cancellation_date"]) != "121 121 <nil>" {
		t.Errorf("given back: %v %v %v", back["credited_total"], back["balance"], back["cancellation_date"])
	}
	w.call("POST", "/api/invoices", correcting(t, "NCA", 100, byID(id)), s.key).want(201)
}

func TestSixtyFourNotesAtOnceTakeNoMoreThanTheWhole(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	id := w.issued(s, 1, worth(t, 200))
	var mu sync.Mutex
	var wait sync.WaitGroup
	got := map[int]int{}
	for range 64 {
		wait.Go(func() {
			a := w.call("POST", "/api/invoices", correcting(t, "NCA", 100, byID(id)), s.key)
			mu.Lock()
			defer mu.Unlock()
			got[a.Code]++
		})
	}
	wait.Wait()
	if got[201] != 2 || got[409] != 62 {
		t.Errorf("answers by status: %v, want 2 times 201 and 62 times 409", got)
	}
}

func TestTheSameKeyReservesOnce(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	id := w.issued(s, 1, worth(t, 200))
	body := correcting(t, "NCA", 200, byID(id))
	first := w.call("POST", "/api/invoices", body, s.key, "Idempotency-Key: k").want(201).text("id")
	again := w.call("POST", "/api/invoices", body, s.key, "Idempotency-Key: k").want(201).text("id")
	o, _, err := commands.Bind(w.x, invoice.Decider).Load(t.Context(), id)
	check(t, err)
	if first != again || len(o.Notes) != 1 || o.Left("").Sign() != 0 {
		t.Errorf("%s and %s, notes %+v", first, again, o.Notes)
	}
}

// One use of a key may be so slow that the note of another is accepted before it reserves.
func TestTheSameKeyMeetsANoteThatCounts(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	id := w.issued(s, 1, worth(t, 200))
	send := func() string {
		return w.call("POST", "/api/invoices", correcting(t, "NCA", 200, byID(id)), s.key, "Idempotency-Key: k").
			want(201).text("id")
	}
	first := ""
	w.log.hook(func(stream string) error {
		if strings.HasPrefix(stream, "idempotency-") {
			w.log.hook(nil)
			first = send()
			w.counted(first, 1)
		}
		return nil
	})
	if again := send(); first == "" || again != first {
		t.Errorf("the faster use of the key made %q, the slower one %q", first, again)
	}
}
