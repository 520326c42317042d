package faultproxy_test

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"folio/faultproxy"
)

// echo answers every byte with itself.
func echo(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(c, c)
				_ = c.Close()
			}()
		}
	}()
	return l.Addr().String()
}

func dial(t *testing.T, p *faultproxy.Proxy) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", p.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// say writes one byte and reads one, within a limit.
func say(t *testing.T, c net.Conn, limit time.Duration) error {
	t.Helper()
	if _, err := c.Write([]byte("x")); err != nil {
		return err
	}
	return hear(t, c, limit)
}

func hear(t *testing.T, c net.Conn, limit time.Duration) error {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(limit)); err != nil {
		t.Fatal(err)
	}
	_, err := io.ReadFull(c, make([]byte, 1))
	return err
}

const patient = 10 * time.Second

func timedOut(err error) bool {
	var e net.Error
	return errors.As(err, &e) && e.Timeout()
}

func TestWhatPassesAHealthyProxy(t *testing.T) {
	p := faultproxy.New(t, "tcp", echo(t))
	if err := say(t, dial(t, p), patient); err != nil {
		t.Fatal(err)
	}
}

func TestCutEndsWhatIsOpenAndServesWhatIsNew(t *testing.T) {
	p := faultproxy.New(t, "tcp", echo(t))
	c := dial(t, p)
	if err := say(t, c, patient); err != nil {
		t.Fatal(err)
	}
	p.Cut()
	if err := hear(t, c, patient); err == nil || timedOut(err) {
		t.Errorf("a connection that was cut: %v", err)
	}
	if err := say(t, dial(t, p), patient); err != nil {
		t.Errorf("a new connection: %v", err)
	}
}

func TestRefuseHoldsUntilHeal(t *testing.T) {
	p := faultproxy.New(t, "tcp", echo(t))
	p.Refuse()
	// The reset may already meet the dial.
	if c, err := net.Dial("tcp", p.Address()); err == nil {
		if err := say(t, c, patient); err == nil || timedOut(err) {
			t.Errorf("a refused connection: %v", err)
		}
		_ = c.Close()
	}
	p.Heal()
	if err := say(t, dial(t, p), patient); err != nil {
		t.Errorf("after healing: %v", err)
	}
}

func TestFreezeHoldsBackAndHealDelivers(t *testing.T) {
	p := faultproxy.New(t, "tcp", echo(t))
	c := dial(t, p)
	p.Freeze()
	if err := say(t, c, 50*time.Millisecond); !timedOut(err) {
		t.Fatalf("while frozen: %v", err)
	}
	p.Heal()
	if err := hear(t, c, patient); err != nil {
		t.Errorf("what was held back: %v", err)
	}
}

func TestLoseAnswersResetsAfterTheServerHeard(t *testing.T) {
	heard := make(chan byte, 1)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		b := make([]byte, 1)
		if _, err := io.ReadFull(c, b); err == nil {
			heard <- b[0]
			_, _ = c.Write(b)
		}
	}()
	p := faultproxy.New(t, "tcp", l.Addr().String())
	p.LoseAnswers()
	if err := say(t, dial(t, p), patient); err == nil || timedOut(err) {
		t.Errorf("the answer: %v", err)
	}
	if b := <-heard; b != 'x' {
		t.Errorf("the server heard %q", b)
	}
}

func TestDelayIsLate(t *testing.T) {
	p := faultproxy.New(t, "tcp", echo(t))
	c := dial(t, p)
	p.Delay(30 * time.Millisecond)
	began := time.Now()
	if err := say(t, c, patient); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took < 60*time.Millisecond {
		t.Errorf("there and back took %v", took)
	}
}
