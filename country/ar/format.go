package ar

import (
	"fmt"
	"strconv"
	"strings"

	"folio/country"
	"folio/money"
)

// printAmount writes a number as Argentines do, with at least two decimals and no
// digit lost: 1.234.567,89.
func printAmount(a money.Decimal) string { return country.PrintPrice(a, 2) }

// printCents rounds to two decimals.
func printCents(a money.Decimal) string { return country.PrintNumber(a.Round(2)) }

// printDate turns YYYY-MM-DD, with or without a time behind it, into DD/MM/YYYY.
func printDate(date string) string { return country.PrintDay(date, "/") }

// printNumberOf is the number of a document: 0001-00000001, the first part with five
// digits from 10000 on (RG 4291 has points of sale up to 99998).
func printNumberOf(branchOffice int, number int64) string {
	return fmt.Sprintf("%04d-%08d", branchOffice, number)
}

// symbol stands before an amount: $ for pesos, the ISO code for the rest.
func symbol(currency string) string {
	if currency == localCurrency {
		return "$"
	}
	return currency
}

// printMoney is an amount with its currency.
func printMoney(currency string, a money.Decimal) string {
	return country.PrintMoney(symbol(currency), a.Round(2))
}

// inWords is the total as an FCE must show it (Law 27.440 article 5 f): the currency
// first, so that no gender has to agree with it.
func inWords(total money.Decimal, currency string) string {
	whole, cents, _ := strings.Cut(total.Round(2).String(), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	words := Words(n)
	if err != nil || words == "" {
		return ""
	}
	name := currency
	if c, ok := country.Find(currencies, currency); ok {
		name = strings.ToLower(c.Name)
	}
	return fmt.Sprintf("Son: %s %s con %s/100.", name, words, cents)
}
