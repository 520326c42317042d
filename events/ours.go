package events

import "strings"

// Category is the part of a stream's name before the first dash: "invoice" of
// invoice-01J... . A name without a dash has none.
func Category(stream string) string {
	category, _, dashed := strings.Cut(stream, "-")
	if !dashed {
		return ""
	}
	return category
}

// Aggregate is the id behind the category: "01J..." of invoice-01J... .
func Aggregate(stream string) string {
	_, id, _ := strings.Cut(stream, "-")
	return id
}

// Kinship says what an entry of the log is to Folio.
type Kinship int

// The three kinds. Only what is Known is decoded.
const (
	// Foreign entries are another application's, whatever their type is called. They are
	// passed over and counted.
	Foreign Kinship = iota
	// Known entries have a type of the catalogue in a stream of that type's category.
	Known
	// Newer entries were written by a Folio (their metadata have a schema) to a stream of
	// Folio's, and this program does not know their type. Going on without them would be
	// a guess.
	Newer
)

// KinshipOf tells by stream, type and metadata; the data are not looked at.
func KinshipOf(r Recorded) Kinship { return catalogue.kinship(r) }

func (c *registry) kinship(r Recorded) Kinship {
	category := Category(r.Stream)
	if !c.categories[category] || len(r.Stream) == len(category)+1 { // Folio names no stream without an id
		return Foreign
	}
	e, known := c.byName[r.Type]
	switch {
	case known && e.category == category:
		return Known
	case !known && r.Meta.Schema >= 1:
		return Newer
	}
	return Foreign
}

// Has says whether streams of a category are Folio's.
func Has(category string) bool { return catalogue.categories[category] }
