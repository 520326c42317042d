package projections_test

import (
	"fmt"
	"strings"
	"testing"

	"folio/projections"
)

// What a company may read tells by which member it is the company's.
func TestEveryOwnedProjectionNamesItsOwner(t *testing.T) {
	for _, p := range projections.All {
		if got := p.OwnerMember(); (got == "company" || got == "purchase.company") != p.Owned() {
			t.Errorf("%s is owned: %v, by %q", p.Name(), p.Owned(), got)
		}
		if len(p.Members()) == 0 {
			t.Errorf("%s has no members", p.Name())
		}
	}
}

func TestMembersAreThoseOfTheJSON(t *testing.T) {
	got := fmt.Sprint(projections.VATBook.Members())
	for _, want := range []string{"[{invoice text} {company text}", "{official_code integer}", "{recipient.document text}",
		"{rate decimal}", "{amounts.net decimal}", "{taxes[].rate decimal}", "{sandbox boolean}", "{accepted_at time}]"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if got := fmt.Sprint(projections.Facts.Members()); !strings.Contains(got, "{position text}") {
		t.Errorf("an embedded place, or no position: %s", got)
	}
}
