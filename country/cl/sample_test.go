package cl_test

import "folio/money"

func dec(s string) money.Decimal { return money.MustParse(s) }
