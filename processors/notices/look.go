package notices

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"folio/commands/certificate"
	"folio/commands/company"
	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/tables"
)

// look records the notice that an item owes today, and says when to look again; more
// is false when nothing will ever be owed.
func (p *Processor) look(ctx context.Context, it tables.Item) (next time.Time, more bool, err error) {
	var about subject
	if err := json.Unmarshal(it.Body, &about); err != nil {
		return next, false, err
	}
	if about.Secret != "" && strings.HasPrefix(it.Key, ofKey+"/") {
		return next, false, p.keys.Delete(ctx, about.Secret)
	}
	co, found, err := p.log.Companies.Load(ctx, about.Company)
	if err != nil {
		return next, false, err
	}
	rules, ok := p.Rules(co.Country)
	if !found || !ok {
		return next, false, errUnknown
	}
	kind, id, _ := strings.Cut(it.Key, "/")
	switch kind {
	case ofCertificate:
		return p.lookCertificate(ctx, co, rules, about, id)
	case ofRange:
		return p.lookRange(ctx, rules, about, id)
	case ofLoss:
		return p.lookLoss(ctx, rules, about, id)
	}
	return p.lookSeries(ctx, rules, about)
}

// lookCertificate gives notice of a certificate's expiry until its last day.
func (p *Processor) lookCertificate(ctx context.Context, co company.State, rules country.Rules, about subject,
	id string) (time.Time, bool, error) {
	if about.Environment != "" && !co.HasCertificate(id) {
		older := events.CertificateUploaded{}
		for _, c := range co.Certificates {
			if c.Environment == about.Environment {
				older = c
			}
		}
		if id = older.Certificate; id == "" {
			return time.Time{}, false, nil
		}
	}
	for i, c := range co.Certificates {
		if c.Certificate != id {
			continue
		}
		if slices.ContainsFunc(co.Certificates[i+1:],
			func(newer events.CertificateUploaded) bool { return newer.Environment == c.Environment }) {
			return time.Time{}, false, nil // its notices ended; the worklist has not heard of it yet
		}
		expiry, err := time.Parse(time.RFC3339, c.ValidTo)
		if err != nil {
			return time.Time{}, false, err
		}
		since := day(about.Since.In(rules.Location()))
		today := day(p.Clock.Now().In(rules.Location()))
		end := day(expiry.In(rules.Location()))
		notice, owed, next, more := due(expiryFrom(end-since), end, since, today)
		if owed && today < end {
			_, err := p.log.Certificates.Execute(ctx, id,
				certificate.NoticeExpiry{Company: co.Company, Certificate: id, Days: notice}, p.Request(id, strconv.Itoa(notice)))
			if err != nil {
				return time.Time{}, false, err
			}
		}
		return start(next, rules.Location()), more, nil
	}
	return time.Time{}, false, errUnknown
}

// lookRange gives notice of a range's expiry while numbers of it are left and no newer
// range has come.
func (p *Processor) lookRange(ctx context.Context, rules country.Rules, about subject, id string) (time.Time, bool,
	error) {
	s, _, err := p.log.Numbering.Load(ctx, about.Series)
	if err != nil {
		return time.Time{}, false, err
	}
	n := len(s.Ranges)
	if n == 0 {
		return time.Time{}, false, errUnknown
	}
	r := s.Ranges[n-1]
	end, expires := dayOf(r.ExpiresOn)
	if r.Range != id || !expires || r.Next > r.To {
		return time.Time{}, false, nil
	}
	since := day(about.Since.In(rules.Location()))
	notice, owed, next, more := due(rangeDays, end, since, day(p.Clock.Now().In(rules.Location())))
	if owed {
		e := events.NumberingNoticed{Kind: "expiry", Days: notice, Range: id, Remaining: r.To - r.Next + 1,
			OfficialCode: r.OfficialCode}
		if err := p.notice(ctx, about.Series, e, "expiry", id, strconv.Itoa(notice)); err != nil {
			return time.Time{}, false, err
		}
	}
	return start(next, rules.Location()), more, nil
}

// lookLoss looks at the series on the day after a range's last one: numbers that were
// left in the range serve no more.
func (p *Processor) lookLoss(ctx context.Context, rules country.Rules, about subject, id string) (time.Time, bool,
	error) {
	s, _, err := p.log.Numbering.Load(ctx, about.Series)
	if err != nil {
		return time.Time{}, false, err
	}
	i := slices.IndexFunc(s.Ranges, func(r numbering.Range) bool { return r.Range == id })
	if i < 0 {
		return time.Time{}, false, errUnknown
	}
	end, expires := dayOf(s.Ranges[i].ExpiresOn)
	switch {
	case !expires || s.Ranges[i].Next > s.Ranges[i].To:
		return time.Time{}, false, nil
	case day(p.Clock.Now().In(rules.Location())) <= end:
		return start(end+1, rules.Location()), true, nil
	}
	return p.lookSeries(ctx, rules, about)
}

// lookSeries gives notice of how few numbers are left. It is looked at whenever numbers
// were taken, passed over or lost, or a range came; after downtime only the present level
// is told.
func (p *Processor) lookSeries(ctx context.Context, rules country.Rules, about subject) (time.Time, bool, error) {
	ranged, ok := rules.(country.Ranged)
	if !ok {
		return time.Time{}, false, nil
	}
	s, _, err := p.log.Numbering.Load(ctx, about.Series)
	if err != nil || len(s.Ranges) == 0 {
		return time.Time{}, false, err
	}
	newest := s.Ranges[len(s.Ranges)-1]
	left, total := s.Remaining(p.Clock.Now().In(rules.Location()).Format(time.DateOnly))
	n := level(left, total, ranged.NoticeThreshold(newest.OfficialCode), newest.Next == newest.From)
	if n == 0 {
		return time.Time{}, false, nil
	}
	e := events.NumberingNoticed{Kind: "quantity", Notice: n, Range: newest.Range, Remaining: left,
		OfficialCode: newest.OfficialCode}
	return time.Time{}, false, p.notice(ctx, about.Series, e, "quantity", newest.Range, strconv.Itoa(n))
}

func (p *Processor) notice(ctx context.Context, series string, e events.NumberingNoticed, step ...string) error {
	_, err := p.log.Numbering.Execute(ctx, series, numbering.Notice{Notice: e},
		p.Request(series, step...))
	return err
}
