package writeapi

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"folio/apidoc"
	"folio/fault"
	"folio/strict"

	"pgregory.net/rapid"
)

// breach breaks one rule of a country in one of its correct bodies. Set are members and
// their values, "path=JSON" a line; a member without a value is left out.
type breach struct{ code, body, set string }

// nation is how the rules of one country are broken.
type nation struct {
	bodies    map[string]string   // how each correct body is made of the one of wholes
	owners    map[string]string   // of bodies whose company says more in its profile: members of it
	breaches  []breach            // one a rule at least
	elsewhere []string            // rules that no body breaks: its shape is refused before
	hides     map[string][]string // which rules, by the beginnings of their codes, need not be told beside another
}

var nationsOf = map[string]nation{"AR": argentina, "CL": chile, "UY": uruguay}

// made is one correct body with its company, and the breaches that are of it.
type made struct {
	whole
	nation
	breaches []breach
}

func (n nation) made(t testing.TB, cc, name string) made {
	t.Helper()
	w := wholes(t)[cc]
	w.body = changed(t, w.body, n.bodies[name])
	if fields := n.owners[name]; fields != "" {
		profile := &w.owner.Profile
		for line := range strings.Lines(fields) {
			member, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			if member == "tax_condition" {
				profile.TaxCondition = value
				continue
			}
			profile.Fields = maps.Clone(profile.Fields)
			if profile.Fields == nil {
				profile.Fields = map[string]string{}
			}
			profile.Fields[member] = value
		}
	}
	out := made{whole: w, nation: n}
	for _, b := range n.breaches {
		if b.body == name {
			out.breaches = append(out.breaches, b)
		}
	}
	return out
}

// changed is a body with members set.
func changed(t interface{ Fatal(...any) }, body, set string) string {
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	var all any
	if err := d.Decode(&all); err != nil {
		t.Fatal(err, body)
	}
	for line := range strings.Lines(set) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		path, raw, given := strings.Cut(line, "=")
		var value any
		if given && raw != "" {
			v := json.NewDecoder(strings.NewReader(raw))
			v.UseNumber()
			if err := v.Decode(&value); err != nil {
				t.Fatal(err, line)
			}
		}
		steps := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) })
		all = put(all, steps, value, raw == "")
	}
	out, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func put(in any, path []string, value any, remove bool) any {
	if len(path) == 0 {
		return value
	}
	if i, err := strconv.Atoi(path[0]); err == nil {
		list, _ := in.([]any)
		for len(list) <= i {
			list = append(list, map[string]any{})
		}
		list[i] = put(list[i], path[1:], value, remove)
		return list
	}
	object, _ := in.(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	if len(path) == 1 && remove {
		delete(object, path[0])
		return object
	}
	object[path[0]] = put(object[path[0]], path[1:], value, remove)
	return object
}

func codesOf(vs []fault.Violation) (codes []string) {
	for _, v := range vs {
		codes = append(codes, v.Code)
	}
	return codes
}

// Every rule has a breach, and each breach alone is told.
func TestEveryRuleIsBroken(t *testing.T) {
	for cc, n := range nationsOf {
		t.Run(cc, func(t *testing.T) {
			broken := map[string]bool{}
			for name := range n.bodies {
				m := n.made(t, cc, name)
				if vs := m.told(t, m.body); len(vs) > 0 {
					t.Errorf("the body %q itself: %v", name, vs)
				}
				for _, b := range m.breaches {
					vs := m.told(t, changed(t, m.body, b.set))
					inSpanish(t, vs)
					if broken[b.code] = true; !slices.Contains(codesOf(vs), b.code) {
						t.Errorf("%s is not broken in %q by %s: %v", b.code, name, b.set, vs)
					}
				}
			}
			for _, code := range rulesOf(t, cc) {
				if broken[code] == slices.Contains(n.elsewhere, code) {
					t.Errorf("the rule %s: broken by a body %v, elsewhere %v", code, broken[code], !broken[code])
				}
			}
		})
	}
}

// english are words that Spanish has not.
var english = regexp.MustCompile(`(?i)\b(the|must|not|is|are|of|and|an|with|without|to|it|or|which|at most|be)\b`)

// inSpanish wants each refusal in the catalogue of texts, which says it in Spanish, and whole.
func inSpanish(t *testing.T, vs []fault.Violation) {
	t.Helper()
	for _, v := range vs {
		said, ok := apidoc.Spanish(v.Code, v.Message)
		if !ok {
			t.Errorf("%s: nobody says in Spanish %q", v.Code, v.Message)
		}
		if left := english.FindString(said); left != "" {
			t.Errorf("%s: %q stays in %q", v.Code, left, said)
		}
	}
}

// hidden says that a rule need not be told beside one of those.
func (n nation) hidden(of breach, others []breach) bool {
	return slices.ContainsFunc(others, func(o breach) bool {
		return slices.ContainsFunc(n.hides[o.code], func(prefix string) bool { return strings.HasPrefix(of.code, prefix) })
	})
}

// apart says that two breaches set other members, so that each stays what it is.
func apart(a, b breach) bool {
	for x := range strings.Lines(a.set) {
		for y := range strings.Lines(b.set) {
			p, _, _ := strings.Cut(strings.TrimSpace(x), "=")
			q, _, _ := strings.Cut(strings.TrimSpace(y), "=")
			if within(p, q) || within(q, p) {
				return false
			}
		}
	}
	return true
}

// Any two breaches of one body are told together, but for what the table hides.
func TestTwoBreachesAreToldTogether(t *testing.T) {
	for cc, n := range nationsOf {
		for name := range n.bodies {
			t.Run(cc+" "+name, func(t *testing.T) {
				m := n.made(t, cc, name)
				alone := map[string][]fault.Violation{}
				for _, b := range m.breaches {
					alone[b.set] = m.told(t, changed(t, m.body, b.set))
				}
				for i, a := range m.breaches {
					for _, b := range m.breaches[i+1:] {
						if !apart(a, b) {
							continue
						}
						told := m.told(t, changed(t, changed(t, m.body, a.set), b.set))
						m.missing(t, told, alone[a.set], []breach{b}, a)
						m.missing(t, told, alone[b.set], []breach{a}, b)
					}
				}
			})
		}
	}
}

// missing reports the rule that a breach breaks where it is told no more, and nothing hides it.
func (m made) missing(t interface{ Errorf(string, ...any) }, told, alone []fault.Violation, others []breach,
	of breach) {
	for _, v := range alone {
		gone := v.Code == of.code && !slices.ContainsFunc(told, func(o fault.Violation) bool { return key(o) == key(v) })
		if gone && !silenced(v, told) && !m.hidden(of, others) {
			t.Errorf("%s by %v: %s is told no more", of.code, others, key(v))
		}
	}
}

// shapes are faults of shape, which silence only rules about what depends on the member.
var shapes = []breach{
	{strict.CodeUnknown, "", `colour="red"`},
	{strict.CodeWrongType, "", `observations=5`},
	{strict.CodeWrongType, "", `recipient.address.phone=5`},
	{strict.CodeWrongType, "", `items[0].taxes[0].rate="x"`},
	{strict.CodeWrongType, "", `items[1].quantity=true`},
	{strict.CodeWrongType, "", `totals.sub_total="x"`},
	{"NOT_A_DATE_TIME", "", `service_start_date="soon"`},
	{"TOO_LONG", "", `external_reference="` + strings.Repeat("W", 201) + `"`},
}

// Many breaches and faults of shape at once: what is told is what each is told for alone.
func TestManyBreachesAreToldTogether(t *testing.T) {
	for cc, n := range nationsOf {
		for name := range n.bodies {
			t.Run(cc+" "+name, func(t *testing.T) {
				m := n.made(t, cc, name)
				all := slices.Concat(m.breaches, shapes)
				rapid.Check(t, func(t *rapid.T) {
					body, taken := m.body, []breach{}
					for _, b := range rapid.Permutation(all).Draw(t, "order")[:rapid.IntRange(2, 8).Draw(t, "breaches")] {
						if !slices.ContainsFunc(taken, func(o breach) bool { return !apart(b, o) }) {
							body, taken = changed(t, body, b.set), append(taken, b)
						}
					}
					told := m.told(t, body)
					for _, b := range taken {
						m.missing(t, told, m.told(t, changed(t, m.body, b.set)), taken, b)
					}
				})
			})
		}
	}
}
