package events

// TreeBegun: from here on a notary keeps a tree over the log. It stands in transparency-<id of the log>, and is
// the first leaf of the tree that it begins, so that the tree commits to the one before it.
type TreeBegun struct {
	Fact   `json:"-"`
	Tree   string `json:"tree"`   // id of the log; /2, /3 ... behind it when the log has begun again
	Origin string `json:"origin"` // first line of the tree's checkpoints
	Key    string `json:"key"`    // verifier key of the checkpoints, as C2SP signed-note writes it
	Leaf   string `json:"leaf"`   // which definition of a leaf holds: docs/transparency.md
	// Salts is a fingerprint of the key that the leaves' salts derive from.
	Salts    string    `json:"salts"`
	Previous *TreeHead `json:"previous,omitempty"` // last checkpoint of the tree before
	Reason   string    `json:"reason,omitempty"`   // the operator's, when the same log begins again
}

var _ = define[TreeBegun]("transparency", "TreeBegun")

// TreeHead is a tree at one size.
type TreeHead struct {
	Tree   string `json:"tree"`
	Origin string `json:"origin"`
	Key    string `json:"key"` // verifier key in force then
	Size   int64  `json:"size"`
	Root   string `json:"root"` // base64
}

// CheckpointRecorded: the tree had this root when it had so many leaves. It is recorded before it is signed, and
// nothing else is ever signed: two notaries cannot sign two trees of one size.
type CheckpointRecorded struct {
	Fact `json:"-"`
	Tree string `json:"tree"`
	Size int64  `json:"size"`
	Root string `json:"root"` // base64
}

var _ = define[CheckpointRecorded]("transparency", "CheckpointRecorded")

// CheckpointCosigned: witnesses saw the checkpoint and that it continues what they saw before.
type CheckpointCosigned struct {
	Fact       `json:"-"`
	Tree       string   `json:"tree"`
	Size       int64    `json:"size"`
	Signatures []string `json:"signatures"` // lines of a signed note, with the time of each (C2SP tlog-cosignature)
}

var _ = define[CheckpointCosigned]("transparency", "CheckpointCosigned")

// NotaryKeyRotated: checkpoints are signed with another key from here on.
type NotaryKeyRotated struct {
	Fact `json:"-"`
	Tree string `json:"tree"`
	Key  string `json:"key"` // the new verifier key
	// Statement is a note that names both keys, signed with the old one.
	Statement string `json:"statement"`
	Reason    string `json:"reason"`
}

var _ = define[NotaryKeyRotated]("transparency", "NotaryKeyRotated")
