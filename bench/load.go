package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// wire is a closed loop of HTTP requests written as bytes. The load shares the cores
// with what it measures, and net/http's client costs as much as the service's answer.
type wire struct {
	address string // http://HOST:PORT
	clients int
	want    int                        // status of every answer
	request func(client, n int) []byte // the n-th request of a client
	read    func(body []byte)          // sees every answer's body; may be nil
}

// run keeps the clients busy for d. An answer other than the wanted one is an error.
func (w wire) run(ctx context.Context, d time.Duration) (sample, error) {
	conns, err := w.dial(ctx)
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	if err != nil {
		return sample{}, err
	}
	latencies, errs := make([][]time.Duration, w.clients), make([]error, w.clients)
	var all sync.WaitGroup
	started := time.Now()
	for i, c := range conns {
		all.Go(func() { latencies[i], errs[i] = w.client(ctx, i, c, started.Add(d)) })
	}
	all.Wait()
	s := sample{wall: time.Since(started)}
	s.judge(slices.Concat(latencies...))
	return s, errors.Join(errs...)
}

// judge takes the latencies of all operations.
func (s *sample) judge(all []time.Duration) {
	slices.Sort(all)
	if s.ops = len(all); s.ops > 0 {
		s.median, s.p99, s.p999 = all[s.ops/2], all[s.ops*99/100], all[s.ops*999/1000]
	}
}

func (w wire) dial(ctx context.Context) (conns []net.Conn, err error) {
	var d net.Dialer
	for range w.clients {
		c, err := d.DialContext(ctx, "tcp", strings.TrimPrefix(w.address, "http://"))
		if err != nil {
			return conns, err
		}
		conns = append(conns, c)
	}
	return conns, nil
}

func (w wire) client(ctx context.Context, i int, c net.Conn, until time.Time) (took []time.Duration, err error) {
	r := bufio.NewReaderSize(c, 64<<10)
	for n := 0; ctx.Err() == nil; n++ {
		began := time.Now()
		if !began.Before(until) {
			return took, nil
		}
		if _, err := c.Write(w.request(i, n)); err != nil {
			return took, fmt.Errorf("send: %w", err)
		}
		if err := w.answer(r); err != nil {
			return took, err
		}
		took = append(took, time.Since(began))
	}
	return took, ctx.Err()
}

// answer reads one answer of the service, which always sends Content-Length.
func (w wire) answer(r *bufio.Reader) error {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	status := 0
	if fields := bytes.Fields(line); len(fields) > 1 {
		status, _ = strconv.Atoi(string(fields[1]))
	}
	length := 0
	for {
		if line, err = r.ReadSlice('\n'); err != nil {
			return fmt.Errorf("read headers: %w", err)
		}
		if len(line) <= 2 {
			break
		}
		if name, value, _ := bytes.Cut(line, []byte(":")); bytes.EqualFold(name, []byte("content-length")) {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(value)))
		}
	}
	if status == w.want && w.read == nil {
		_, err = r.Discard(length)
		return err
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r, body); err != nil {
		return fmt.Errorf("read body: %w", err)
	}
	if status != w.want {
		return fmt.Errorf("status %d instead of %d: %.300s", status, w.want, body)
	}
	w.read(body)
	return nil
}

// message is a request as it goes over the wire.
func message(method, path, key string, body []byte, headers ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: localhost\r\n", method, path)
	if key != "" {
		fmt.Fprintf(&b, "x-api-key: %s\r\n", key)
	}
	for _, h := range headers {
		b.WriteString(h + "\r\n")
	}
	if body != nil {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// times sends n requests, one after another.
func (w wire) times(ctx context.Context, n int) (sample, error) {
	conns, err := w.dial(ctx)
	if err != nil {
		return sample{}, err
	}
	defer conns[0].Close()
	r, started := bufio.NewReaderSize(conns[0], 64<<10), time.Now()
	took := make([]time.Duration, n)
	for i := range took {
		began := time.Now()
		if _, err := conns[0].Write(w.request(0, i)); err != nil {
			return sample{}, fmt.Errorf("send: %w", err)
		}
		if err := w.answer(r); err != nil {
			return sample{}, err
		}
		took[i] = time.Since(began)
	}
	wall := time.Since(started)
	slices.Sort(took)
	return sample{ops: n, wall: wall, median: took[n/2]}, nil
}
