package dgi

import (
	"cmp"
	"context"
	"crypto"
	"net/http"
	"sync"
	"time"

	"folio/authority"
	"folio/authority/wire"
	"folio/country/uy"
	"folio/version"
)

// Vault keeps secrets sealed across restarts.
type Vault = wire.Vault

// Options of a client; Endpoints is required.
type Options struct {
	Endpoints Endpoints
	// HTTP is wire.NewClient(0) when nil.
	HTTP *http.Client
	// Vault keeps what was sent last in each series, with DGI's receipt, across restarts;
	// nil keeps it in memory only.
	Vault Vault
	// Now is time.Now when nil. It dates signatures.
	Now func() time.Time
	// Recipient is RutReceptor of envelopes, DGI's RUC; 214844360018 when empty. Its test
	// environment has been seen to call itself 219999830019.
	Recipient string
	// Hash is that of the documents' signatures, crypto.SHA256 when zero. DGI takes no
	// SHA-1 of a certificate since 2018; whether it still takes crypto.SHA1 of a document
	// is unverified.
	Hash crypto.Hash
	// MessageHash is that of the messages' signatures (WS-Security), crypto.SHA256 when
	// zero. DGI's own examples show crypto.SHA1; which it demands is unverified.
	MessageHash crypto.Hash
	// BatchLimit is how many documents go in one envelope, 250 when zero, the most that
	// DGI takes (SOB5). When DGI refuses an envelope, each of them goes alone (Split).
	BatchLimit int
}

// maxBatch is how many documents an envelope holds at most (SOB5).
const maxBatch = 250

// Client speaks to one environment. It is safe for concurrent use.
type Client struct {
	endpoints   Endpoints
	http        *http.Client
	now         func() time.Time
	recipient   string
	hash        crypto.Hash
	messageHash crypto.Hash
	batchLimit  int
	// kept is what was sent last in each series, with the receipt: one entry a series,
	// since one submission is open at a time.
	kept wire.Kept

	mu     sync.Mutex
	series map[string]*answered
}

// New makes a client. It does no I/O.
func New(o Options) *Client {
	client, now := wire.Ready(o.HTTP, o.Now)
	return &Client{endpoints: o.Endpoints, http: client, now: now, recipient: cmp.Or(o.Recipient, uy.DGIRUT),
		hash: cmp.Or(o.Hash, crypto.SHA256), messageHash: cmp.Or(o.MessageHash, crypto.SHA256),
		batchLimit: min(cmp.Or(o.BatchLimit, maxBatch), maxBatch), kept: wire.Kept{Vault: o.Vault},
		series: map[string]*answered{}}
}

// talk is a client that acts with one certificate and records what is said.
type talk struct {
	*Client
	identity
	record authority.Recorder
}

// call makes one call of an operation and reads the answer. Its errors are those of
// wire.Do, or say in an authority.Message what DGI said.
func (t talk) call(ctx context.Context, o operation, content string) (answer, error) {
	x := authority.Exchange{Operation: o.name, At: t.now()}
	body, err := t.message(o, content)
	if err != nil {
		return answer{}, authority.NotSent(err)
	}
	x.Request = cut(body)
	got, err := wire.Do(ctx, t.http, wire.Request{Operation: o.name, Method: http.MethodPost,
		URL: o.service.address(t.endpoints), Body: body,
		Headers: map[string]string{"Content-Type": "text/xml; charset=utf-8",
			"SOAPAction": `"` + o.service.action() + o.name + `"`, "User-Agent": version.UserAgent("DGI")}})
	x.Answer = cut(got.Body)
	var a answer
	if err == nil {
		a, err = readReply(o, got)
	}
	wire.Tell(t.record, x, err)
	return a, err
}
