package console

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
)

// companies is the start: what the account owns and what it was let into, each with its next step.
func (v *visit) companies() error {
	page := pageOf(v.r)
	var own list[company]
	if err := v.get("/api/companies?per_page=24&page="+strconv.Itoa(page), &own); err != nil {
		return err
	}
	var account struct {
		Given []struct {
			ID   string `json:"id_company"`
			Role string `json:"role"`
		} `json:"given"`
	}
	if err := v.get(route("account"), &account); err != nil {
		return err
	}
	var given []company
	for _, g := range account.Given {
		c := company{Role: g.Role}
		if err := v.get(route("companies", g.ID), &c); err != nil {
			return err
		}
		given = append(given, c)
	}
	v.render(http.StatusOK, "companies", "Companies", struct {
		Own   list[company]
		Given []company
		Pages pager
	}{own, given, pagerOf(v.r, own.Page, own.Pages)})
	return nil
}

// newCompany shows the form; the currencies are the API's.
func (v *visit) newCompany() error { return v.companyForm(http.StatusOK) }

func (v *visit) companyForm(status int) error {
	var currencies []struct {
		ID   int    `json:"id"`
		Code string `json:"code"`
		Name string `json:"name"`
	}
	if err := v.get("/api/currencies", &currencies); err != nil {
		return err
	}
	options := []option{{Name: "—"}}
	for _, c := range currencies {
		options = append(options, option{Value: strconv.Itoa(c.ID), Name: c.Code + " · " + c.Name})
	}
	v.render(status, "new-company", "New company", struct{ Kinds, Currencies []option }{
		v.console.identifiers(), options})
	return nil
}

func (v *visit) makeCompany() error {
	var made company
	if err := v.post("/api/companies", v.body(), &made); err != nil {
		return v.again(err, v.companyForm)
	}
	v.company = made.ID
	return v.done(v.within(), "company")
}

// overview is a company at a glance: what it needs, and what it did last.
func (v *visit) overview() error {
	var recent list[invoice]
	if err := v.get("/api/invoices?per_page=5", &recent); err != nil {
		return err
	}
	counts := map[string]int{}
	for _, status := range statuses {
		var l list[struct{}]
		if err := v.get("/api/invoices?per_page=1&status="+url.QueryEscape(status), &l); err != nil {
			return err
		}
		counts[status] = l.Total
	}
	away, err := v.openOutages()
	if err != nil {
		return err
	}
	v.render(http.StatusOK, "overview", v.here.Name, struct {
		Recent   []invoice
		Statuses []string
		Counts   map[string]int
		Outages  []outage
	}{recent.Data, statuses, counts, away})
	return nil
}

// pageOf is the page of a list that a request asks for.
func pageOf(r *http.Request) int {
	n, err := strconv.Atoi(r.URL.Query().Get("page"))
	if err != nil {
		return 1
	}
	return max(1, n)
}

// pager leads through a list.
type pager struct {
	Page, Pages    int
	Previous, Next string // addresses, "" where there is none
}

func pagerOf(r *http.Request, page, pages int) pager {
	p := pager{Page: page, Pages: pages}
	at := func(n int) string {
		q := r.URL.Query()
		q.Del("done")
		q.Del("seen")
		q.Set("page", strconv.Itoa(n))
		return r.URL.Path + "?" + q.Encode()
	}
	if page > 1 {
		p.Previous = at(page - 1)
	}
	if page < pages {
		p.Next = at(page + 1)
	}
	return p
}

// identifiers are the kinds of tax identifier of a company, each with the countries that have it.
func (c Config) identifiers() []option {
	all := []option{{Name: "—"}}
	for _, x := range c.Countries {
		if i := slices.IndexFunc(all, func(o option) bool { return o.Value == x.Identifier }); i > 0 {
			all[i].Name += ", " + x.Name
			continue
		}
		all = append(all, option{Value: x.Identifier, Name: x.Identifier + " · " + x.Name})
	}
	return all
}
