package country_test

import (
	"fmt"
	"testing"

	"folio/country"
	"folio/money"
)

func TestAPlaceSaysNothingTwice(t *testing.T) {
	for _, c := range []struct {
		name  string
		parts []string
		want  string
	}{
		{"nothing", nil, ""},
		{"each part", []string{"Ruta 8 km 20", "Pando", "Canelones"}, "Ruta 8 km 20, Pando, Canelones"},
		{"parts that say nothing", []string{" ", "Pando", "", " Canelones "}, "Pando, Canelones"},
		{"a city with the name of what it lies in", []string{"18 de Julio 1234", "Montevideo", "MONTEVIDEO"},
			"18 de Julio 1234, Montevideo"},
		{"with nothing between the two", []string{"Santiago", "", "Santiago"}, "Santiago"},
	} {
		if got := country.Place(c.parts...); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestColumnsThatAreAlwaysEmptyAreLeftOut(t *testing.T) {
	columns := []country.Column{{Title: "Code", Width: 2}, {Title: "Name", Width: 7}, {Title: "Discount", Width: 1}}
	for _, c := range []struct {
		rows [][]string
		want string
	}{
		{[][]string{{"", "a", ""}, {"", "b", ""}}, "[{Name 10 false}] [[a] [b]]"},
		{[][]string{{"", "a", ""}, {"", "b", "1"}}, "[{Name 9 false} {Discount 1 false}] [[a ] [b 1]]"},
		{[][]string{{"1", "", "2"}}, "[{Code 2 false} {Name 7 false} {Discount 1 false}] [[1  2]]"},
	} {
		got, rows := country.WithoutEmpty(columns, c.rows, "Code", "Discount", "Other")
		if text := fmt.Sprint(got, " ", rows); text != c.want {
			t.Errorf("%v: %s, want %s", c.rows, text, c.want)
		}
	}
	if len(columns) != 3 || columns[0].Title != "Code" {
		t.Error("the columns themselves have changed")
	}
}

func TestTheSignOfMoneyStandsBeforeItsCurrency(t *testing.T) {
	for _, c := range []struct{ symbol, amount, want string }{
		{"$", "-20.00", "-$ 20,00"}, {"U$S", "-1234.5", "-U$S 1.234,5"}, {"$", "5000", "$ 5.000"}, {"EUR", "0", "EUR 0"},
	} {
		if got := country.PrintMoney(c.symbol, money.MustParse(c.amount)); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.symbol, c.amount, got, c.want)
		}
	}
}
