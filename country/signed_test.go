package country_test

import (
	"testing"

	"folio/country"
)

func TestADocumentIsCutOutOfWhatWasSent(t *testing.T) {
	inside := country.Inside{Document: "D", Number: "N", Charset: "UTF-8"}
	const one, two = `<D v="1"><N>1</N><M>x</M></D>`, `<D v="1"><N>2</N><N>1</N><N>12</N></D>`
	for _, c := range []struct {
		name, sent string
		number     int64
		want       string
	}{
		{"alone", one, 1, one},
		{"in an envelope, behind another that names it", `<?xml version="1.0"?><E>` + two + one + `</E>`, 1, one},
		{"without an envelope, before another", two + one, 2, two},
		{"a number that only another document names", two, 1, ""},
		{"a number that begins like one that is there", two, 12, ""},
		{"a document that does not end", one[:len(one)-2], 1, ""},
		{"a document without a number", `<D v="1"></D>` + one, 1, one},
		{"nothing", "", 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := inside.Cut([]byte(c.sent), c.number)
			switch {
			case c.want == "" && err == nil:
				t.Errorf("found %q", got.Content)
			case c.want != "" && (err != nil || string(got.Content) != "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"+c.want ||
				got.Charset != "UTF-8"):
				t.Errorf("%q, %v", got.Content, err)
			}
		})
	}
}
