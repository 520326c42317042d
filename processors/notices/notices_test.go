package notices_test

import (
	"fmt"
	"testing"
	"time"

	"folio/commands"
	"folio/events"
	"folio/processors/processortest"
)

func at(date string) time.Time {
	t, err := time.ParseInLocation("2006-01-02 15:04", date, time.FixedZone("-03", -3*60*60))
	if err != nil {
		panic(err)
	}
	return t
}

var registered = events.CompanyRegistered{Company: "C1", Account: "A", Country: "AR", TaxIdentifier: "30712345671"}

func certificate(id, until string) events.CertificateUploaded {
	return events.CertificateUploaded{Certificate: id, Environment: "Production", ValidFrom: "2026-01-01T00:00:00Z",
		ValidTo: at(until).UTC().Format(time.RFC3339), Fingerprint: id}
}

func days(ns []events.CertificateExpiryNoticed) string {
	out := ""
	for _, n := range ns {
		out += fmt.Sprintf("%s:%d ", n.Certificate, n.Days)
	}
	return out
}

func TestSevenNoticesOfACertificateEachOnce(t *testing.T) {
	w := newWorld(t, at("2026-11-01 12:00"))
	w.record("company-C1", registered, certificate("X1", "2027-03-31 23:59"))
	w.start()
	for i, day := range []string{"2027-01-30 00:00", "2027-02-14 00:30", "2027-03-01 09:00", "2027-03-16 00:00",
		"2027-03-26 23:00", "2027-03-29 00:00", "2027-03-30 00:00"} {
		w.clock.Set(at(day))
		w.record("company-C1", events.LogoUploaded{SHA256: day}) // something unrelated happens too
		await[events.CertificateExpiryNoticed](w, i+1)
	}
	w.stop()
	w.start() // hears everything again from its checkpoint, on the same day
	w.clock.Set(at("2027-03-30 20:00"))
	w.record("company-C1", certificate("X2", "2027-04-14 23:59")) // fifteen days left: due today
	if got := days(await[events.CertificateExpiryNoticed](w, 8)); got != "X1:60 X1:45 X1:30 X1:15 X1:5 X1:2 X1:1 X2:15 " {
		t.Fatalf("notices %s", got)
	}
	w.stop()
}

func TestAfterDowntimeOnlyTheLatestMissedAndNoneOfAReplacedCertificate(t *testing.T) {
	w := newWorld(t, at("2026-11-01 12:00"))
	w.record("company-C1", registered, certificate("X1", "2027-03-31 23:59"))
	w.clock.Set(at("2027-02-20 10:00")) // sixty and forty-five were missed
	w.start()
	if got := days(await[events.CertificateExpiryNoticed](w, 1)); got != "X1:45 " {
		t.Fatalf("after downtime %s, want the latest alone", got)
	}
	w.record("company-C1", certificate("X2", "2027-05-01 23:59"))
	w.clock.Set(at("2027-03-02 10:00")) // X1's thirty would be due, X2's sixty is
	if got := days(await[events.CertificateExpiryNoticed](w, 2)); got != "X1:45 X2:60 " {
		t.Fatalf("after replacement %s, want nothing more of the old one", got)
	}
	w.stop()
}

func TestNumbersThatRunLow(t *testing.T) {
	w := newWorld(t, at("2026-11-01 12:00"))
	w.record("company-C1", registered)
	const stream = "numbering-C1-Production-33-0"
	w.record(stream, events.NumberingRangeUploaded{Range: "R1", Company: "C1", Environment: "Production", OfficialCode: 33,
		From: 1, To: 30, Fingerprint: "f1"})
	w.start()
	open := func(n int, first, count int64) {
		ids := make([]string, count)
		for i := range ids {
			ids[i] = fmt.Sprintf("%d-%d", n, i)
		}
		w.record(stream, events.SubmissionOpened{Submission: fmt.Sprint(n), First: first, Invoices: ids})
		w.record(stream, events.SubmissionSettled{Submission: fmt.Sprint(n)})
	}
	open(1, 1, 10) // 20 left: low
	await[events.NumberingNoticed](w, 1)
	open(2, 11, 5)  // 15 left: told already
	open(3, 16, 14) // 1 left
	await[events.NumberingNoticed](w, 2)
	open(4, 30, 1) // none
	await[events.NumberingNoticed](w, 3)
	w.record(stream, events.NumberingRangeUploaded{Range: "R2", Company: "C1", Environment: "Production", OfficialCode: 33,
		From: 31, To: 40, Fingerprint: "f2"})
	open(5, 31, 1) // 9 of 10 left, not above the class's 20
	got := await[events.NumberingNoticed](w, 4)
	w.stop()
	for i, want := range []string{"R1 1 20", "R1 2 1", "R1 3 0", "R2 1 9"} {
		if s := fmt.Sprintf("%s %d %d", got[i].Range, got[i].Notice, got[i].Remaining); s != want {
			t.Errorf("notice %d is %q, want %q", i, s, want)
		}
	}
}

func TestARangeThatExpires(t *testing.T) {
	w := newWorld(t, at("2026-07-01 12:00"))
	w.record("company-C1", registered)
	w.record("numbering-C1-Production-33-0",
		events.NumberingRangeUploaded{Range: "R1", Company: "C1", Environment: "Production",
			OfficialCode: 33, From: 1, To: 100, ExpiresOn: "2026-12-31", Fingerprint: "f1"})
	w.start()
	for i, day := range []string{"2026-12-24 08:00", "2026-12-30 00:00", "2026-12-31 23:00", "2027-01-01 00:00"} {
		w.clock.Set(at(day))
		w.record("company-C1", events.LogoUploaded{SHA256: day})
		await[events.NumberingNoticed](w, i+1)
	}
	got := ""
	for _, n := range await[events.NumberingNoticed](w, 5) { // the fifth: none is left
		if n.Kind == "expiry" {
			got += fmt.Sprint(n.Days, " ")
		}
	}
	w.stop()
	if got != "7 1 0 -1 " {
		t.Fatalf("notices %s", got)
	}
}

// The clock stands still, so that no pause ends by itself.
func TestANoticeGoesOnAtOnceWhenTheLogIsBack(t *testing.T) {
	w := newWorld(t, at("2027-02-20 10:00"))
	o := processortest.NewOutage()
	w.x = commands.NewExecutor(processortest.Step(o.Step).Log(w.log), w.clock.Now)
	w.record("company-C1", registered, certificate("X1", "2027-03-31 23:59"))
	w.clock.Set(at("2027-03-01 09:00"))
	w.start()
	<-o.Met
	o.End()
	w.p.WakeAll()
	if got := days(await[events.CertificateExpiryNoticed](w, 1)); got != "X1:30 " {
		t.Errorf("notices %s", got)
	}
	w.stop()
}

func TestTheKeyOfARemovedCertificateLeavesTheVaultAndTheOlderOneIsNoticed(t *testing.T) {
	w := newWorld(t, at("2026-11-01 12:00"))
	older, newer := certificate("X1", "2027-03-31 23:59"), certificate("X2", "2027-06-30 23:59")
	newer.Secret = "company/C1/certificate/X2"
	// Whoever removed it died between the fact and the vault, which is away for a while besides.
	w.record("company-C1", registered, older, newer,
		events.CertificateRemoved{Certificate: "X2", Environment: "Production", Secret: newer.Secret})
	w.keys.away = 1
	w.start()
	w.clock.AwaitWaiter(t) // the pause after the vault was away
	w.clock.Set(at("2026-11-01 13:00"))
	if got := <-w.keys.gone; got != newer.Secret {
		t.Fatalf("%q left the vault", got)
	}
	w.clock.Set(at("2027-01-30 00:00"))
	if got := days(await[events.CertificateExpiryNoticed](w, 1)); got != "X1:60 " {
		t.Fatalf("after removal %s, want the notices of the older one", got)
	}
	w.stop()
}
