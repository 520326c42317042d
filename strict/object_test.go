package strict

import (
	"strings"
	"testing"

	"folio/fault"
)

func object(t *testing.T, body string) Object {
	t.Helper()
	b, err := Parse([]byte(body))
	if err != nil {
		t.Fatalf("parse: %v", err)
	}
	return b.Object()
}

func TestOneFaultEach(t *testing.T) {
	for _, c := range []struct {
		name, body string
		read       func(o Object)
		want       []string
	}{
		{"the body is no object", `[]`, func(o Object) { o.String("a", Required) }, []string{"$ WRONG_TYPE"}},
		{"missing", `{}`, func(o Object) { o.String("a", Required) }, []string{"a REQUIRED"}},
		{"missing but optional", `{}`, func(o Object) { o.String("a") }, nil},
		{"null where required", `{"a":null}`, func(o Object) { o.Decimal("a", Required) }, []string{"a NOT_NULL"}},
		{"null where optional", `{"a":null}`, func(o Object) { o.Object("a") }, nil},
		{"null where it is asked whether it is there", `{"a":null}`, func(o Object) {
			if o.Has("a") {
				o.Decimal("a", Required)
			}
		}, nil},
		{"empty where required", `{"a":" "}`, func(o Object) { o.String("a", Required) }, []string{"a REQUIRED"}},
		{"a number for text", `{"a":1}`, func(o Object) { o.String("a") }, []string{"a WRONG_TYPE"}},
		{"text for a number", `{"a":"12.50"}`, func(o Object) { o.Decimal("a") }, []string{"a WRONG_TYPE"}},
		{"empty text for a number", `{"a":""}`, func(o Object) { o.Decimal("a") }, []string{"a WRONG_TYPE"}},
		{"text for true", `{"a":"true"}`, func(o Object) { o.Bool("a") }, []string{"a WRONG_TYPE"}},
		{"an array for an object", `{"a":[]}`, func(o Object) { o.Object("a").String("b", Required) },
			[]string{"a WRONG_TYPE"}},
		{"an object for an array", `{"a":{}}`, func(o Object) { o.Array("a", nil) }, []string{"a WRONG_TYPE"}},
		{"too long, in characters", `{"a":"ñññ","b":"ññññ"}`,
			func(o Object) { o.String("a", MaxLen(3)); o.String("b", MaxLen(3)) }, []string{"b TOO_LONG"}},
		{"too long without a bound given", `{"a":"` + strings.Repeat("x", 1001) + `"}`, func(o Object) { o.String("a") },
			[]string{"a TOO_LONG"}},
		{"a control character", `{"a":"x\u0000"}`, func(o Object) { o.String("a") }, []string{"a CONTROL_CHARACTER"}},
		{"delete", `{"a":"x\u007f"}`, func(o Object) { o.String("a") }, []string{"a CONTROL_CHARACTER"}},
		{"a C1 control", `{"a":"x\u0085"}`, func(o Object) { o.String("a") }, []string{"a CONTROL_CHARACTER"}},
		{"text that is turned round", `{"a":"Pago \u202egpj.exe"}`, func(o Object) { o.String("a", Multiline) },
			[]string{"a CONTROL_CHARACTER"}},
		{"an isolate that is never closed", `{"a":"\u2067x"}`, func(o Object) { o.String("a") },
			[]string{"a CONTROL_CHARACTER"}},
		{"a mark in a name written from right to left", `{"a":"\u200fשלום\u200e 12"}`, func(o Object) { o.String("a") }, nil},
		{"what XML cannot hold", `{"a":"x\uffff"}`, func(o Object) { o.String("a", Multiline) },
			[]string{"a CONTROL_CHARACTER"}},
		{"a line end where there is one line", `{"a":"x\ny"}`, func(o Object) { o.String("a") },
			[]string{"a CONTROL_CHARACTER"}},
		{"a lone carriage return", `{"a":"x\ry"}`, func(o Object) { o.String("a", Multiline) },
			[]string{"a CONTROL_CHARACTER"}},
		{"not one of the list", `{"a":"c"}`, func(o Object) { o.String("a", OneOf("x", "y")) }, []string{"a NOT_ALLOWED"}},
		{"a fraction for an identifier", `{"a":1.5}`, func(o Object) { o.StringOrInt("a") }, []string{"a NOT_AN_INTEGER"}},
		{"true for an identifier", `{"a":true}`, func(o Object) { o.StringOrInt("a") }, []string{"a WRONG_TYPE"}},
		{"an element of the wrong kind", `{"a":[{},1]}`, func(o Object) { o.Array("a", func(int, Object) {}) },
			[]string{"a[1] WRONG_TYPE"}},
		{"too many elements", `{"a":[{},{}]}`, func(o Object) {
			o.Array("a", func(int, Object) { t.Error("read") }, MaxItems(1))
		}, []string{"a TOO_MANY_ITEMS"}},
		{"no elements", `{"a":[]}`, func(o Object) { o.Array("a", nil, Required) }, []string{"a TOO_FEW_ITEMS"}},
		{"a text of the wrong kind", `{"a":["ISE",null]}`, func(o Object) { o.Strings("a") }, []string{"a[1] WRONG_TYPE"}},
		{"a text not in the list", `{"a":["ISE","X"]}`, func(o Object) { o.Strings("a", OneOf("ISE")) },
			[]string{"a[1] NOT_ALLOWED"}},
		{"read-only and filled", `{"a":"x","b":0,"c":[1],"d":{"e":1},"f":false}`,
			func(o Object) { o.MustBeEmpty("a", "b", "c", "d", "f") },
			[]string{"a READ_ONLY", "b READ_ONLY", "c READ_ONLY", "d READ_ONLY", "f READ_ONLY"}},
		{"read-only and empty", `{"a":"","b":null,"c":[],"d":{}}`, func(o Object) { o.MustBeEmpty("a", "b", "c", "d", "e") },
			nil},
		{"unknown", `{"a":1}`, func(Object) {}, []string{"a UNKNOWN_FIELD"}},
		{"unknown inside an object that was read", `{"a":{"b":1}}`, func(o Object) { o.Object("a") },
			[]string{"a.b UNKNOWN_FIELD"}},
		{"a name that is no word", `{"a b\n":1}`, func(Object) {}, []string{`["a b\n"] UNKNOWN_FIELD`}},
		{"names differ in case", `{"Total":1}`, func(o Object) { o.Int("total") }, []string{"Total UNKNOWN_FIELD"}},
		{"the caller's own check", `{"a":1}`, func(o Object) {
			o.Int("a")
			o.Fail("a", "AR-01", "m")
			o.Fail("", "AR-02", "m")
		}, []string{"a AR-01", "$ AR-02"}},
	} {
		o := object(t, c.body)
		c.read(o)
		err := o.Done()
		if got := codes(err); !same(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if f := fault.As(err); f != nil && f.Code != fault.Invalid {
			t.Errorf("%s: %s", c.name, f.Code)
		}
		if again := codes(o.Done()); !same(again, c.want) {
			t.Errorf("%s: Done again gives %v", c.name, again)
		}
	}
}

func TestAllFaultsAtOnceWithTheirPaths(t *testing.T) {
	o := object(t, `{"branch_office":"1","invoice_tipe":"FCA","recipient":{"address":{"country":5}},
		"items":[{"quantity":1,"unit_price":1},{"quantity":"2","taxes":[{"amount":1e21},{"amount":null,"rte":1}]}],"totals":null}`)
	o.Int("branch_office", Required)
	o.String("invoice_type", Required)
	o.Object("recipient", Required).Object("address", Required).String("country", Required)
	o.Array("items", func(_ int, item Object) {
		item.Decimal("quantity", Required)
		item.Decimal("unit_price", Required)
		item.Array("taxes", func(_ int, tax Object) {
			tax.Decimal("amount", Required)
			tax.Decimal("rate")
		})
	}, Required)
	o.Object("totals", Required).Decimal("total", Required)
	err := o.Done()
	want := []string{"branch_office WRONG_TYPE", "invoice_type REQUIRED", "recipient.address.country WRONG_TYPE",
		"items[1].quantity WRONG_TYPE",
		"items[1].unit_price REQUIRED", "items[1].taxes[0].amount TOO_MANY_DIGITS", "items[1].taxes[1].amount NOT_NULL",
		"totals NOT_NULL",
		"invoice_tipe UNKNOWN_FIELD", "items[1].taxes[1].rte UNKNOWN_FIELD"}
	if got := codes(err); !same(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, hint := range []string{"did you mean invoice_type?", "did you mean rate?", "must be a number, not a string"} {
		if !strings.Contains(err.Error(), hint) {
			t.Errorf("no %q in %s", hint, err)
		}
	}
}

func TestGoodValuesAreReadAsTheyStand(t *testing.T) {
	o := object(t, `{"s":"Ñandú \ud83d\ude00 \"x\"","m":"a\r\nb\tc","d":"2024-02-29","t":"2024-02-29 23:59:59","n":121.00,"e":1e2,
		"i":-7,"b":true,"id":12345678901234567890,"ids":"abc","a":["x","y"],"raw":{"k":[1]},"empty":""}`)
	for got, want := range map[string]string{
		o.String("s"): `Ñandú 😀 "x"`, o.String("m", Multiline): "a\nb\tc", o.Date("d"): "2024-02-29",
		o.DateTime("t"):         "2024-02-29 23:59:59",
		o.Decimal("n").String(): "121.00", o.Decimal("e").String(): "100", o.StringOrInt("id"): "12345678901234567890",
		o.StringOrInt("ids"):              "abc",
		strings.Join(o.Strings("a"), "+"): "x+y", string(o.Raw("raw")): `{"k":[1]}`, o.String("empty"): "",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if o.Int("i") != -7 || !o.Bool("b") || !o.Has("i") || o.Has("nothing") || !o.Present() ||
		o.Object("nothing").Present() {
		t.Error("integer, boolean or presence is wrong")
	}
	if err := o.Done(); err != nil {
		t.Error(err)
	}
}

func TestObjectThatIsMissingReadsAsZeroAndReportsOnlyItself(t *testing.T) {
	o := object(t, `{}`)
	in := o.Object("a", Required)
	in.Array("x", nil, Required)
	in.MustBeEmpty("y")
	if in.String("b", Required)+in.Object("c", Required).Date("d", Required)+in.StringOrInt("e", Required) != "" ||
		in.Has("b") {
		t.Error("reads something")
	}
	if got := codes(o.Done()); !same(got, []string{"a REQUIRED"}) {
		t.Errorf("violations are %v", got)
	}
}

func TestAnswerIsBoundedWhenEverythingIsWrong(t *testing.T) {
	o := object(t, `{"a":[`+strings.Repeat(`{},`, 999)+`{}]}`)
	o.Array("a", func(_ int, item Object) { item.Int("x", Required); item.Int("y", Required) })
	f := fault.As(o.Done())
	if f == nil || len(f.Violations) != maxViolations || !strings.Contains(f.Text, "2000 faults") {
		t.Fatalf("got %d violations: %.80s", len(f.Violations), f.Text)
	}
}

func TestNoMessageRepeatsAValue(t *testing.T) {
	o := object(t, `{"password":"hunter2\u0001","date":"hunter2","list":"hunter2","n":"hunter2","long":"hunter2hunter2"}`)
	o.String("password")
	o.Date("date")
	o.String("list", OneOf("a"))
	o.Decimal("n")
	o.String("long", MaxLen(3))
	err := o.Done()
	if err == nil || len(codes(err)) != 5 || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

func TestDates(t *testing.T) {
	for s, want := range map[string]bool{"2024-02-29": true, "2023-02-29": false, "1900-02-29": false, "2000-02-29": true,
		"2024-04-31": false,
		"2024-12-31": true, "2024-13-01": false, "2024-00-10": false, "2024-1-1": false, "01/02/2024": false,
		"2024-01-01T00:00:00": false,
		"0000-01-01":          false,
		"9999-01-01":          false, "２０２４-01-01": false, "2024-01-0a": false, "+024-01-01": false,
		" 2024-01-01": false} {
		o := object(t, `{"d":"`+s+`","t":"`+s+` 10:00:00"}`)
		o.Date("d")
		o.DateTime("t")
		if err := o.Done(); (err == nil) != want {
			t.Errorf("%q: %v", s, err)
		}
	}
	for s, want := range map[string]bool{"2024-01-01 24:00:00": false, "2024-01-01 23:60:00": false,
		"2024-01-01 23:59:60": false,
		"2024-01-01":          false, "2024-01-01T10:00:00": false, "2024-01-01 10:00": false, "2024-01-01 10:00:00Z": false,
		"2024-01-01 1a:00:00": false} {
		o := object(t, `{"t":"`+s+`"}`)
		o.DateTime("t")
		if err := o.Done(); (err == nil) != want {
			t.Errorf("%q: %v", s, err)
		}
	}
	o := object(t, `{"t":"2024-01-01"}`)
	if got := o.DateTime("t", DateAlone); got != "2024-01-01 00:00:00" || o.Done() != nil {
		t.Errorf("a date alone reads as %q", got)
	}
	o = object(t, `{"t":"2024-01-01T10:00:00"}`)
	o.DateTime("t", DateAlone)
	if all := fault.As(o.Done()).Violations; !strings.Contains(all[0].Message, "YYYY-MM-DD or YYYY-MM-DD HH:MM:SS") {
		t.Errorf("that a date alone is taken is not said: %v", all)
	}
}
