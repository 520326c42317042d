package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/prometheus/client_golang/prometheus"

	"folio/countries"
	"folio/country/figures"
	"folio/money"
)

// figuresCmd shows what the law sets by date, as this program would read it.
type figuresCmd struct {
	On      string `help:"Day, YYYY-MM-DD; today when left out." placeholder:"DATE"`
	Figures string `help:"JSON file of the operator's own figures, as folio serve takes it." type:"existingfile" placeholder:"FILE"`
}

// Run prints the figures in force, one a line, with their sources.
func (c *figuresCmd) Run() error {
	today := todayIn
	if c.On != "" {
		day, err := time.Parse(time.DateOnly, c.On)
		if err != nil {
			return fmt.Errorf("--on: %q is no day: give YYYY-MM-DD", c.On)
		}
		today = func(string) time.Time { return day }
	}
	table, err := readFigures(c.Figures)
	if err != nil {
		return err
	}
	return printFigures(os.Stdout, table, today)
}

func printFigures(out io.Writer, table figures.Table, today func(country string) time.Time) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "COUNTRY\tNAME\tVALUE\tUNIT\tSINCE\tMEANS\tSOURCE")
	for _, n := range figures.Names {
		f, ok := table.At(n.Country, n.Name, today(n.Country))
		if !ok {
			fmt.Fprintf(w, "%s\t%s\t-\t%s\t-\t%s\tnone is in force\n", n.Country, n.Name, n.Unit, n.Means)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", n.Country, n.Name, f.Value, n.Unit, f.Since, n.Means, f.Source)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, m := range table.Missing(today) {
		fmt.Fprintf(out, "MISSING: %s %s has none of %d; the one since %s is used\n", m.Country, m.Name, m.Year, m.Used)
	}
	return nil
}

// value is a figure as the file has it: a number or a text, without a float between.
type value struct{ money.Decimal }

// UnmarshalJSON reads either.
func (v *value) UnmarshalJSON(raw []byte) (err error) {
	v.Decimal, err = money.Parse(string(bytes.Trim(raw, `"`)))
	return err
}

// figureRow is a row of the file of --figures.
type figureRow struct {
	Country string `json:"country"`
	Name    string `json:"name"`
	Since   string `json:"since"`
	Value   *value `json:"value"`
	Source  string `json:"source"`
}

// readFigures are the built-in figures with those of the file of --figures over them. The
// file is refused as a whole when anything in it is not known, so that a mistyped name is
// noticed at the start and not by the tax authority. All that is wrong is told at once.
func readFigures(file string) (figures.Table, error) {
	if file == "" {
		return figures.Table{}, nil
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return figures.Table{}, fmt.Errorf("--figures: %w", err)
	}
	var rows []jsontext.Value
	if err := readJSON(content, &rows, jsontext.AllowDuplicateNames(true)); err != nil { // rows refuse them one by one
		return figures.Table{}, fmt.Errorf(`--figures: read %s: it is a list such as [{"country": "UY", "name": "unit_value", "since": "2027-01-01", "value": "6.71", "source": "INE"}]: %w`, file, err)
	}
	given, wrong := make([]figures.Figure, len(rows)), make([]error, len(rows))
	for i, text := range rows {
		var r figureRow
		err := readJSON(text, &r)
		if err == nil && r.Value == nil {
			err = errors.New("value is missing")
		}
		if err != nil {
			wrong[i] = fmt.Errorf("row %d: %w", i+1, err)
			continue
		}
		given[i] = figures.Figure{Country: r.Country, Name: r.Name, Since: r.Since, Value: r.Value.Decimal, Source: r.Source}
	}
	for i, err := range figures.Faults(given) {
		wrong[i] = cmp.Or(wrong[i], err)
	}
	if err := errors.Join(wrong...); err != nil {
		return figures.Table{}, fmt.Errorf("--figures: %s is refused:\n%w", file, err)
	}
	return figures.Table{}.With(given...)
}

// todayIn is the day in a country; UTC's where the country is not known.
func todayIn(code string) time.Time {
	now := time.Now()
	if rules, ok := countries.ByCode(code); ok {
		return now.In(rules.Location())
	}
	return now.UTC()
}

// warnOfFigures says at the start which figures of this year are missing.
func warnOfFigures(table figures.Table, today func(country string) time.Time, logger *slog.Logger) {
	for _, m := range table.Missing(today) {
		logger.Warn("a figure of this year is missing and that of an earlier one is used: give it in the file of --figures",
			"country", m.Country, "figure", m.Name, "missing", m.Year, "used", m.Used, "value", m.Value)
	}
}

// figureMetrics tell which yearly figures are missing.
type figureMetrics struct{ table figures.Table }

var figureMissing = prometheus.NewDesc("folio_figure_missing",
	"1 while a yearly figure of the law has no value of this year and an older one is used.",
	[]string{"country", "figure"}, nil)

// Describe implements prometheus.Collector.
func (figureMetrics) Describe(out chan<- *prometheus.Desc) { out <- figureMissing }

// Collect implements prometheus.Collector.
func (m figureMetrics) Collect(out chan<- prometheus.Metric) {
	missing := m.table.Missing(todayIn)
	for _, n := range figures.Names {
		if !n.Yearly {
			continue
		}
		lacks := false
		for _, x := range missing {
			lacks = lacks || x.Country == n.Country && x.Name == n.Name
		}
		out <- prometheus.MustNewConstMetric(figureMissing, prometheus.GaugeValue, truth(lacks), n.Country, n.Name)
	}
}
