package main

import "fmt"

// peerRow shows the sides of one load.
func (b *bench) peerRow(what string, got map[string][]sample) {
	us, them := got[ours], got[theirs]
	control := ratio(got[again], them, sample.rate)
	b.table.add(row{what: what, value: perSecond(over(us, sample.rate).mid), cpu: micro(over(us, sample.cost).mid),
		beside: aboutPeer + " " + perSecond(over(them, sample.rate).mid), ratio: ratio(us, them, sample.rate),
		why: fmt.Sprintf("p50 %s against %s. The peer beside itself: %s (%s-%s) by rate, %s by CPU.",
			micro(over(us, sample.latency).mid), micro(over(them, sample.latency).mid), short(control.mid), short(control.low),
			short(control.high), short(ratio(them, got[again], sample.cost).mid))})
	b.table.add(row{beside: "the same by CPU, " + micro(over(them, sample.cost).mid), ratio: ratio(them, us, sample.cost),
		why: "The peer's CPU is its own and PostgreSQL's."})
	if old := got[before]; len(old) > 0 {
		b.table.add(row{beside: "before " + perSecond(over(old, sample.rate).mid), ratio: ratio(us, old, sample.rate),
			why: fmt.Sprintf("By CPU, of which it took %s: %s.", micro(over(old, sample.cost).mid),
				short(ratio(old, us, sample.cost).mid))})
	}
}

// latencyRow shows the latencies of one open loop.
func (b *bench) latencyRow(what string, got map[string][]sample) {
	for _, q := range []struct {
		name string
		of   func(sample) float64
	}{
		{"p50", sample.latency},
		{"p99", func(s sample) float64 { return float64(s.p99.Microseconds()) }},
		{"p99.9", func(s sample) float64 { return float64(s.p999.Microseconds()) }},
	} {
		us, them := got[ours], got[theirs]
		b.table.add(row{what: what + " " + q.name, value: micro(over(us, q.of).mid),
			beside: aboutPeer + " " + micro(over(them, q.of).mid), ratio: ratio(us, them, q.of),
			why: fmt.Sprintf("From the intended send. The peer beside itself: %s.", short(ratio(got[again], them, q.of).mid))})
		if old := got[before]; len(old) > 0 {
			b.table.add(row{beside: "before " + micro(over(old, q.of).mid), ratio: ratio(us, old, q.of)})
		}
	}
}

// peerMemory shows what each side holds after all this.
func (b *bench) peerMemory(sides map[string]*side) error {
	held := func(pids ...int) (total int64, err error) {
		for _, pid := range pids {
			m, err := memoryOf(pid)
			if err != nil {
				return 0, err
			}
			total += m.proportional
		}
		return total, nil
	}
	us, err := held(sides[ours].pid())
	if err != nil {
		return err
	}
	them, err := held(append(sides[theirs].helpers(), sides[theirs].pid())...)
	if err != nil {
		return err
	}
	r := row{what: "memory after that", value: megabytes(us), beside: aboutPeer + " " + megabytes(them),
		ratio: spreadOf([]float64{float64(us) / float64(them)}), why: "PSS; the peer's is its own and PostgreSQL's."}
	if old := sides[before]; old != nil {
		m, err := held(old.pid())
		if err != nil {
			return err
		}
		r.why += " Before: " + megabytes(m) + "."
	}
	b.table.add(r)
	return nil
}
