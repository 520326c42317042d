package transparency_test

import (
	"testing"

	"folio/commands/commandtest"
	"folio/commands/transparency"
	"folio/events"
)

func TestATreeOnlyGrows(t *testing.T) {
	type C = commandtest.Case[transparency.Command]
	begun := events.TreeBegun{Tree: "T", Origin: "o", Key: "k1"}
	ten := events.CheckpointRecorded{Tree: "T", Size: 10, Root: "r10"}
	rotated := events.NotaryKeyRotated{Tree: "T", Key: "k2", Statement: "s", Reason: "yearly"}
	given := []events.Event{begun, ten}
	commandtest.Run(t, transparency.Decider,
		C{Name: "a tree begins", When: transparency.Begin{Tree: begun}, Then: []events.Event{begun}},
		C{Name: "it begins once", Given: given, When: transparency.Begin{Tree: begun}},
		C{Name: "nothing is recorded before it begins", When: transparency.Record{Tree: "T", Size: 1, Root: "r"},
			Err: transparency.ErrOtherTree},
		C{Name: "a larger size is recorded", Given: given,
			When: transparency.Record{Tree: "T", After: 10, Size: 11, Root: "r11"},
			Then: []events.Event{events.CheckpointRecorded{Tree: "T", Size: 11, Root: "r11"}}},
		C{Name: "the same checkpoint again is nothing new", Given: given,
			When: transparency.Record{Tree: "T", Size: 10, Root: "r10"}},
		C{Name: "a smaller one is not recorded after it", Given: given,
			When: transparency.Record{Tree: "T", Size: 9, Root: "other"}},
		C{Name: "nothing is recorded behind a checkpoint that was not held against the leaves", Given: given,
			When: transparency.Record{Tree: "T", After: 9, Size: 11, Root: "r11"}},
		C{Name: "no size has two roots", Given: given, When: transparency.Record{Tree: "T", Size: 10, Root: "other"},
			Err: transparency.ErrForked},
		C{Name: "another tree's checkpoint is refused", Given: given,
			When: transparency.Record{Tree: "U", Size: 11, Root: "r"}, Err: transparency.ErrOtherTree},
		C{Name: "a second tree begins at nothing", Given: append(given[:2:2], events.TreeBegun{Tree: "T/2", Key: "k3"}),
			When: transparency.Record{Tree: "T/2", Size: 3, Root: "r3"},
			Then: []events.Event{events.CheckpointRecorded{Tree: "T/2", Size: 3, Root: "r3"}}},
		C{Name: "witnesses sign what is recorded", Given: given,
			When: transparency.Cosign{Tree: "T", Size: 10, Signatures: []string{"a"}},
			Then: []events.Event{events.CheckpointCosigned{Tree: "T", Size: 10, Signatures: []string{"a"}}}},
		C{Name: "and nothing else", Given: given, When: transparency.Cosign{Tree: "T", Size: 11, Signatures: []string{"a"}},
			Err: transparency.ErrOtherTree},
		C{Name: "the key is replaced", Given: given,
			When: transparency.Rotate{Tree: "T", From: "k1", Key: "k2", Statement: "s", Reason: "yearly"},
			Then: []events.Event{rotated}},
		C{Name: "by one of two operators", Given: append(given[:2:2], rotated),
			When: transparency.Rotate{Tree: "T", From: "k1", Key: "k3", Statement: "s", Reason: "yearly"},
			Err:  transparency.ErrOtherTree},
	)
}
