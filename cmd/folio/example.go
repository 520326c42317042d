package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"folio/access"
	"folio/commands"
	"folio/commands/aggregates"
	"folio/commands/company"
	"folio/countries"
	"folio/country"
	"folio/events"
	"folio/resource"
)

type exampleCmd struct {
	dataFlags
	Country string `placeholder:"CC" help:"Country of the example, such as cl; that of --company unless given."`
	Type    string `placeholder:"TYPE" help:"Its document type as invoice_type or official code, or the name of a recipe."`
	Company string `placeholder:"ID" help:"Print it for this company of the data folder, with its identifier and a branch of it."`
	Key     string `placeholder:"KEY" help:"Print it for the company of this API key."`
}

// hint is what to say instead of a word that stands alone, which is most often a document type.
func (c *exampleCmd) hint(word string) string {
	return fmt.Sprintf("a document type is named by --type, its country by --country: --country %s --type %s",
		cmp.Or(c.Country, countryOf(word), "CC"), word)
}

// countryOf is the first country that has an example of this name.
func countryOf(name string) string {
	for _, rules := range countries.Rules() {
		if _, ok := exampleOf(rules, name, time.Now()); ok {
			return strings.ToLower(rules.Code())
		}
	}
	return ""
}

// Run prints one request, or without a type the list of all.
func (c *exampleCmd) Run(ctx context.Context) error {
	if c.Company == "" && c.Key == "" {
		return c.print(company.State{})
	}
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		log := aggregates.In(commands.NewExecutor(s.log, time.Now))
		if c.Key != "" {
			key, found, err := log.APIKeys.Load(ctx, access.KeyID(c.Key))
			if err != nil || !found {
				return orUnknown(err, "there is no such API key in this data folder")
			}
			c.Company = key.Company
		}
		of, found, err := log.Companies.Load(ctx, c.Company)
		if err != nil || !found {
			return orUnknown(err, "there is no such company: 'folio company list' shows them")
		}
		return c.print(of)
	})
}

func orUnknown(err error, text string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%s", text)
}

func (c *exampleCmd) print(of company.State) error {
	c.Country = cmp.Or(c.Country, of.Country)
	if c.Type == "" && c.Country == "" {
		return c.list()
	}
	rules, ok := countries.Rules().ByCode(c.Country)
	if !ok || of.Country != "" && !strings.EqualFold(of.Country, c.Country) {
		return fmt.Errorf("--country is one of %s, and that of the company where one is named",
			strings.ToLower(strings.Join(countries.Codes(), ", ")))
	}
	if c.Type == "" {
		return c.list()
	}
	d, ok := exampleOf(rules, c.Type, time.Now())
	if !ok {
		return fmt.Errorf("%s has no example %q: 'folio example --country %s' lists them", rules.Code(), c.Type, c.Country)
	}
	out, err := json.MarshalIndent(resource.CreateOf(issuedBy(of, rules, d)), "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Println(string(out))
	return err
}

// exampleOf finds an example by name, invoice_type or official code.
func exampleOf(rules country.Rules, name string, at time.Time) (events.Document, bool) {
	if k, ok := rules.DocumentType(name); ok {
		name = k.InvoiceType
	}
	all := rules.Examples(at)
	i := slices.IndexFunc(all, func(x country.Example) bool { return strings.EqualFold(x.Name, name) })
	if i < 0 {
		return events.Document{}, false
	}
	return all[i].Document, true
}

// issuedBy is the example as the company sends it: from its first branch, where it has any.
func issuedBy(of company.State, rules country.Rules, d events.Document) events.Document {
	if of.Company == "" {
		return d
	}
	d.Issuer = events.Party{DocumentType: of.TaxIdentifierName, DocumentNumber: of.TaxIdentifier}
	branch := 0
	for number := range of.Branches {
		if branch == 0 || number < branch {
			branch = number
		}
	}
	switch {
	case branch == 0:
	case rules.Branches().PointOfSale:
		d.BranchOffice = branch
	default:
		d.Branch = branch
	}
	return d
}

func (c *exampleCmd) list() error {
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "COUNTRY\tTYPE\tCODE\tWHAT IT SHOWS")
	for _, rules := range countries.Rules() {
		if c.Country != "" && !strings.EqualFold(rules.Code(), c.Country) {
			continue
		}
		for _, x := range rules.Examples(time.Now()) {
			code := ""
			if k, ok := rules.DocumentType(x.Name); ok {
				code = fmt.Sprint(k.Code)
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", strings.ToLower(rules.Code()), x.Name, code, x.Title)
		}
	}
	return w.Flush()
}
