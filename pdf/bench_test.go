package pdf

import (
	"syscall"
	"testing"
	"time"

	"folio/country"
)

func benchmarkRender(b *testing.B, f country.Form) {
	logo := sampleLogo(b)
	out, err := Render(f, logo)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	from := cpuTime(b)
	for b.Loop() {
		if _, err := Render(f, logo); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((cpuTime(b)-from).Microseconds())/float64(b.N), "cpu-us/op")
	b.ReportMetric(float64(len(out)), "pdf-bytes")
}

// cpuTime is what the process has used of the processor: on a busy machine it says
// more than the clock on the wall.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkRender5Items(b *testing.B)   { benchmarkRender(b, formA(5)) }
func BenchmarkRender100Items(b *testing.B) { benchmarkRender(b, formA(100)) }

func BenchmarkRender5ItemsEmbeddedFont(b *testing.B) {
	f := formA(5)
	f.IssuerName = "Łódź S.R.L."
	benchmarkRender(b, f)
}

// The ceiling: the same page without a line of layout.
func BenchmarkPaintOnly5Items(b *testing.B) {
	f, face := prepare(formA(5))
	image, err := readLogo(sampleLogo(b))
	if err != nil {
		b.Fatal(err)
	}
	code, err := encodeQR(f.QR)
	if err != nil {
		b.Fatal(err)
	}
	l := &layout{form: f, face: face, logo: image, code: code}
	l.compose()
	b.ReportAllocs()
	from := cpuTime(b)
	for b.Loop() {
		if _, err := paint(l); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((cpuTime(b)-from).Microseconds())/float64(b.N), "cpu-us/op")
}
