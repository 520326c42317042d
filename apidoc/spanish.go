package apidoc

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"folio/httpapi"
)

// gap stands in a text for a value that the program fills in.
const gap = "…"

// saying is a text with gaps, as a form that what the program said is compared with.
type saying struct {
	Text
	form *regexp.Regexp
}

// catalogue has the texts in the order in which they are tried: whole ones by their English,
// those with gaps by their code, then all of them. Who says most stands first.
type catalogue struct {
	whole  map[string]string
	byCode map[string][]saying
	all    []saying
}

var spoken = sync.OnceValue(func() catalogue {
	s := catalogue{whole: map[string]string{}, byCode: map[string][]saying{}}
	s.add("", Reasons())
	s.add(httpapi.Story, Stories())
	sortSayings(s.byCode[httpapi.Story])
	for _, c := range Codes() {
		s.add(c.Code, c.Fills)
		s.add(c.Code, c.Says)
		sortSayings(s.byCode[c.Code])
	}
	sortSayings(s.all)
	return s
})

func (s *catalogue) add(code string, texts []Text) {
	for _, t := range texts {
		if !strings.Contains(t.English, gap) {
			s.whole[t.English] = t.Spanish
			continue
		}
		x := sayingOf(t)
		s.byCode[code] = append(s.byCode[code], x)
		s.all = append(s.all, x)
	}
}

func sayingOf(t Text) saying {
	parts := strings.Split(t.English, gap)
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return saying{t, regexp.MustCompile(`(?s)^` + strings.Join(parts, `(.*?)`) + `$`)}
}

func sortSayings(all []saying) {
	slices.SortStableFunc(all, func(a, b saying) int { return cmp.Compare(len(b.English), len(a.English)) })
}

// Spanish is what the program said, in Spanish: the text of the catalogue with the same
// values filled in. A text that the catalogue does not have is unknown.
func Spanish(code, text string) (string, bool) { return spoken().say(code, text, 5) }

// say goes into values that are texts themselves, as deep as they may be.
func (s catalogue) say(code, text string, deep int) (string, bool) {
	if said, ok := s.whole[text]; ok {
		return said, true
	}
	for _, among := range [][]saying{s.byCode[code], s.all} {
		for _, t := range among {
			values := t.form.FindStringSubmatch(text)
			if values == nil {
				continue
			}
			known := t.words()
			for i, value := range values[1:] {
				if strings.Contains(value, " ") && deep > 0 {
					sentence := strings.TrimLeft(value, " ")
					if said, ok := s.say(code, sentence, deep-1); ok {
						values[i+1], known = value[:len(value)-len(sentence)]+said, true
					}
				}
			}
			if known {
				return t.filled(values[1:]), true
			}
		}
	}
	return s.behindColon(code, text, deep)
}

// behindColon is a text of two around a colon: a place or a name before what is said of it, or a value behind it.
func (s catalogue) behindColon(code, text string, deep int) (string, bool) {
	before, behind, ok := strings.Cut(text, ": ")
	if !ok || deep == 0 {
		return "", false
	}
	said, known := s.say(code, behind, deep-1)
	if !strings.Contains(before, " ") {
		return before + ": " + said, known
	}
	if !known {
		said, known = behind, !strings.Contains(behind, " ")
	}
	first, told := s.say(code, before, deep-1)
	return first + ": " + said, known && told
}

// words says whether a saying is more than its values.
func (t saying) words() bool { return len(strings.Trim(t.English, gap+" :.")) > 3 }

// filled is the Spanish text with the values.
func (t saying) filled(values []string) string {
	parts := strings.Split(t.Spanish, gap)
	var b strings.Builder
	for i, part := range parts {
		b.WriteString(part)
		if i < len(values) {
			b.WriteString(values[i])
		}
	}
	return b.String()
}
