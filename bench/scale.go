package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
)

// scales are numbers of invoices in one log. More of them take hours to seed, and tell no more: see docs/scale.md.
var scales = []int{10_000, 100_000}

// measureScale seeds a log, has a service fold it, and starts the service again: what grows with the number of
// invoices.
func measureScale(ctx context.Context, b *bench) error {
	for _, invoices := range scales {
		if b.quick {
			invoices /= 10
		}
		if err := b.scale(ctx, invoices); err != nil {
			return fmt.Errorf("%d invoices: %w", invoices, err)
		}
	}
	return nil
}

func (b *bench) scale(ctx context.Context, invoices int) error {
	s, err := b.seed(ctx, filepath.Join(b.dir, fmt.Sprint("scale-", invoices)), invoices)
	if err != nil {
		return err
	}
	start := func() (p *process, took time.Duration, err error) {
		began := time.Now()
		if p, err = b.service(ctx, s.data, pure); err != nil {
			return nil, 0, err
		}
		if err := ready(ctx, p); err != nil {
			return nil, 0, errors.Join(err, p.stop())
		}
		return p, time.Since(began), nil
	}
	p, first, err := start()
	if err != nil {
		return err
	}
	folding, err := memoryOf(p.pid())
	if err = errors.Join(err, p.stop()); err != nil {
		return err
	}
	p, again, err := start()
	if err != nil {
		return err
	}
	idle, err := memoryOf(p.pid())
	if err = errors.Join(err, p.stop()); err != nil {
		return err
	}
	log, err := sizeOf(filepath.Join(s.data, "log"))
	all, err2 := sizeOf(s.data)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	n := int64(invoices)
	b.table.add(row{what: thousands(n) + " invoices, first start", value: perSecond(float64(s.events) / first.Seconds()),
		beside: fmt.Sprintf("%s events folded by all read models", thousands(int64(s.events))),
		why: fmt.Sprintf("%s until every read model was current; %s resident then.", first.Round(10*time.Millisecond),
			megabytes(folding.resident))})
	b.table.add(row{what: thousands(n) + " invoices, start again", value: again.Round(10 * time.Millisecond).String(),
		beside: fmt.Sprintf("log %d B, the rest %d B an invoice", log/n, (all-log)/n),
		why:    fmt.Sprintf("Until every read model was current; %s resident then.", megabytes(idle.resident))})
	return nil
}

// sizeOf is how many bytes the files in a folder have.
func sizeOf(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() {
			total += info.Size()
		}
		return nil
	})
	return total, err
}
