package readapi

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"folio/country"
	"folio/fault"
	"folio/httpapi"
	"folio/money"
	"folio/past"
	"folio/projections"
	"folio/projections/engine"
	"folio/strict"
	"folio/tables"
)

// errNoProjection says the same of a projection that is not there and of one that only the
// operator reads.
var errNoProjection = fault.New(fault.NotFound, "PROJECTION_NOT_FOUND",
	"There is no such projection that a company may read. Those it may: "+strings.Join(ownedNames(), ", ")+".")

func ownedNames() (names []string) {
	for _, p := range projections.All {
		if p.Owned() {
			names = append(names, p.Name())
		}
	}
	return names
}

// question is what a request asks of a projection.
type question struct {
	p             engine.Projection
	rows          engine.Rows
	sums          tables.Sums
	summed, csv   bool
	page, perPage int64
}

// questionOf reads the parameters: an attribute by name, from_ and to_ before it for a range,
// sort, order, sum and by.
func (a api) questionOf(r *http.Request, p engine.Projection) (x question, err error) {
	q := strict.ReadQuery(r)
	plain, err := a.plainAttribute(r.Context())
	if err != nil {
		return x, err
	}
	x.p, x.csv = p, formatOf(q)
	x.rows.Owner = httpapi.Caller(r.Context()).Company
	for _, at := range p.Attributes() {
		x.rows.Filters = append(x.rows.Filters, filtersBy(q, at, plain)...)
	}
	slices.SortFunc(x.rows.Filters, func(f, g tables.Filter) int { return strings.Compare(f.Attribute, g.Attribute) })
	x.rows.Sort = oneOf(q, "sort", p, sortable)
	x.rows.Descending = descending(q)
	x.sums.Of = some(q, "sum", p, summable)
	x.sums.By = some(q, "by", p, func(tables.Attribute) bool { return true })
	x.sums.List, x.sums.Filters = x.rows.Owner, x.rows.Filters
	x.summed = len(x.sums.Of) > 0 || len(x.sums.By) > 0
	x.page, x.perPage = pageOf(q)
	switch {
	case x.summed:
		refuse(q, "Sums come whole, by the values of their groups: leave it away.", "sort", "order", "page", "per_page")
	case x.csv:
		refuse(q, "A table has all rows in the order of ids: leave it away.", "sort", "order", "page", "per_page")
	}
	x.rows.Offset, x.rows.Limit = int((x.page-1)*x.perPage), int(x.perPage)
	return x, q.Done()
}

// filtersBy reads what an attribute is to be, and the bounds of a range of it, which must not end before it begins.
func filtersBy(q *strict.Query, at tables.Attribute, plain func(name, value string) string) (out []tables.Filter) {
	stored := map[tables.Op]string{}
	for prefix, op := range map[string]tables.Op{"": tables.Equal, "from_": tables.AtLeast, "to_": tables.AtMost} {
		name := prefix + at.Name
		v := q.String(name, strict.MaxLen(200))
		if v == "" {
			continue
		}
		kept, err := at.Stored(plain(at.Name, v))
		if err != nil {
			q.Fail(name, strict.CodeFormat, "must be a "+string(at.Kind)+
				" (a month as YYYY-MM, a date as YYYY-MM-DD, a time in RFC 3339, a decimal as 12.50)")
			continue
		}
		stored[op] = kept
		out = append(out, tables.Filter{Attribute: at.Name, Op: op, Value: plain(at.Name, v)})
	}
	if from, to := stored[tables.AtLeast], stored[tables.AtMost]; from != "" && to != "" && to < from {
		q.EndsBefore("from_"+at.Name, "to_"+at.Name)
	}
	return out
}

func sortable(a tables.Attribute) bool { return a.Indexed && !a.Fold }
func summable(a tables.Attribute) bool { return a.Kind == tables.Decimal }

// plainAttribute brings the value of a filter into the form that documents keep: numbers that
// identify somebody without their punctuation, currencies in capitals.
func (a api) plainAttribute(ctx context.Context) (func(name, value string) string, error) {
	rules, known, err := a.knownRules(ctx, httpapi.Caller(ctx).Company)
	return func(name, value string) string {
		switch {
		case name == "currency":
			return strings.ToUpper(value)
		case known && strings.HasSuffix(name, "_document"):
			return plainDocument(rules, value)
		}
		return value
	}, err
}

// descending reads the parameter order.
func descending(q *strict.Query) bool {
	order := q.String("order", strict.MaxLen(4))
	if order != "" && order != "asc" && order != "desc" {
		q.Fail("order", strict.CodeNotAllowed, "Use asc or desc.")
	}
	return order == "desc"
}

// oneOf reads the name of an attribute that fits.
func oneOf(q *strict.Query, parameter string, p engine.Projection, fits func(tables.Attribute) bool) string {
	names := some(q, parameter, p, fits)
	if len(names) > 1 {
		q.Fail(parameter, strict.CodeNotAllowed, "Name one attribute.")
		return ""
	}
	return strings.Join(names, "")
}

// some reads names of attributes that fit, with commas between them.
func some(q *strict.Query, parameter string, p engine.Projection,
	fits func(tables.Attribute) bool) (names []string) {
	text := q.String(parameter, strict.MaxLen(200))
	if text == "" {
		return nil
	}
	var known []string
	for _, a := range p.Attributes() {
		if fits(a) {
			known = append(known, a.Name)
		}
	}
	for name := range strings.SplitSeq(text, ",") {
		if !slices.Contains(known, name) {
			hint := "Use " + strings.Join(known, ", ") + "."
			if len(known) == 0 {
				hint = "This projection has no attribute for it: leave it away."
			}
			q.Fail(parameter, strict.CodeNotAllowed, hint)
			return nil
		}
		names = append(names, name)
	}
	return names
}

// readProjection answers with the company's own documents of a projection as they are kept.
func (a api) readProjection(w http.ResponseWriter, r *http.Request) error {
	name, err := httpapi.PathID(r, "name")
	p, ok := projections.Named(name)
	if err != nil || !ok || !p.Owned() {
		return errNoProjection
	}
	x, err := a.questionOf(r, p)
	if err != nil {
		return err
	}
	if err := a.fresh(r, p.Name()); err != nil {
		return err
	}
	switch {
	case x.summed:
		return a.projectionSums(w, r, x)
	case x.csv:
		return a.projectionCSV(w, r, x)
	}
	var found tables.Page
	err = a.pass(r.Context(), func() (err error) {
		found, err = a.Documents.Owned(r.Context(), p, x.rows)
		return err
	})
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, envelope(x.page, x.perPage, found.Total,
		country.Collect(found.Documents, func(d tables.Document) json.RawMessage { return d.Body })))
}

// projectionCSV writes ids, attributes and documents, in the order of ids.
func (a api) projectionCSV(w http.ResponseWriter, r *http.Request, x question) error {
	columns := []string{"id"}
	for _, at := range x.p.Attributes() {
		columns = append(columns, at.Name)
	}
	return a.table(w, r, x.p.Name(), strings.Join(append(columns, "document"), ","),
		func(emit func(func(*past.CSV)) error) error {
			return a.Documents.WalkRows(r.Context(), x.p, x.rows, func(part []tables.Document) error {
				return emit(func(out *past.CSV) {
					for _, d := range part {
						row := []string{d.ID}
						for _, name := range columns[1:] {
							row = append(row, d.Attributes[name])
						}
						out.Row(append(row, string(d.Body))...)
					}
				})
			})
		})
}

// projectionSums answers with counts and sums by group.
func (a api) projectionSums(w http.ResponseWriter, r *http.Request, x question) error {
	var groups []tables.Group
	err := a.pass(r.Context(), func() (err error) {
		groups, err = a.Documents.Sum(r.Context(), x.p, x.sums)
		return err
	})
	if err != nil {
		return err
	}
	if x.csv {
		columns := strings.Join(slices.Concat(x.sums.By, []string{"count"}, x.sums.Of), ",")
		return a.table(w, r, x.p.Name(), columns, func(emit func(func(*past.CSV)) error) error {
			return emit(func(out *past.CSV) {
				for _, g := range groups {
					row := append(slices.Clone(g.Values), money.FromInt(g.Count).String())
					for _, s := range g.Sums {
						row = append(row, s.String())
					}
					out.Row(row...)
				}
			})
		})
	}
	data := country.Collect(groups, func(g tables.Group) map[string]any {
		row := map[string]any{"count": g.Count}
		for i, name := range x.sums.By {
			row[name] = g.Values[i]
		}
		for i, name := range x.sums.Of {
			row["sum_"+name] = amount{g.Sums[i], 0}
		}
		return row
	})
	return httpapi.JSON(w, http.StatusOK, map[string]any{"data": data})
}
