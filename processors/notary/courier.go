package notary

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	cosignature "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"

	"folio/commands"
	decide "folio/commands/transparency"
	"folio/outbound"
	"folio/transparency"
)

// Witness cosigns checkpoints (C2SP tlog-witness).
type Witness struct {
	URL      string // what /add-checkpoint is appended to
	Verifier note.Verifier
}

// ParseWitness reads a witness's verifier key and address, with a space between.
func ParseWitness(text string) (w Witness, err error) {
	key, url, found := strings.Cut(strings.TrimSpace(text), " ")
	if !found {
		return w, fmt.Errorf("%.80q is not a witness: want its verifier key and its address with a space between", text)
	}
	if w.Verifier, err = cosignature.NewVerifierForCosignatureV1(key); err != nil {
		return w, fmt.Errorf("verifier key %.80q of a witness: %w", key, err)
	}
	w.URL = strings.TrimSuffix(strings.TrimSpace(url), "/")
	return w, nil
}

// courier takes checkpoints to witnesses and addresses, one after the other. While it is on its way only the newest
// waits: it proves all that came before.
type courier struct {
	*Processor
	mail  chan transparency.Head
	known map[string]int64 // the size that a witness cosigned last
	told  map[string]bool  // addresses of which a fault was told
}

func newCourier(p *Processor) *courier {
	return &courier{Processor: p, mail: make(chan transparency.Head, 1), known: map[string]int64{},
		told: map[string]bool{}}
}

// send replaces the checkpoint that waits. It is called by one goroutine at a time.
func (c *courier) send(h transparency.Head) {
	if len(c.c.Witnesses)+len(c.c.Addresses) == 0 {
		return
	}
	select {
	case <-c.mail:
	default:
	}
	c.mail <- h
}

func (c *courier) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case h := <-c.mail:
			if err := c.deliver(ctx, h); err != nil && ctx.Err() == nil {
				c.Logger.Warn("a checkpoint is not published yet", "size", h.Size, "error", err)
				c.again(ctx, h)
			}
		}
	}
}

// again takes a checkpoint along once more, unless a newer one waits.
func (c *courier) again(ctx context.Context, h transparency.Head) {
	select {
	case <-ctx.Done():
		return
	case <-c.Clock.At(c.Clock.Now().Add(time.Second)):
	}
	select {
	case c.mail <- h:
	default:
	}
}

// deliver collects cosignatures, records and publishes them, and posts the checkpoint. A witness or an address that
// fails is told of and holds nothing up.
func (c *courier) deliver(ctx context.Context, h transparency.Head) error {
	if len(c.c.Witnesses) > 0 {
		lines := c.cosigned(ctx, h)
		if len(lines) > 0 {
			_, err := commands.Bind(c.Executor, decide.Decider).Execute(ctx, c.Log,
				decide.Command(decide.Cosign{Tree: h.Tree, Size: h.Size, Signatures: lines}),
				request(c.Clock.Now(), "cosigned", h.Tree, strconv.FormatInt(h.Size, 10)))
			if err != nil {
				return err
			}
		}
		h.Note += strings.Join(lines, "")
		if err := c.c.Store.Publish(ctx, h, publication(h, 1+len(lines))); err != nil {
			return err
		}
	}
	var posts sync.WaitGroup
	results := make([]outbound.Result, len(c.c.Addresses))
	for i, to := range c.c.Addresses {
		posts.Go(func() { results[i] = c.post(ctx, to, []byte(h.Note)) })
	}
	posts.Wait()
	for i, to := range c.c.Addresses {
		c.tell(to, results[i].Ending == outbound.Delivered, results[i].Fault)
	}
	return nil
}

func (c *courier) post(ctx context.Context, to string, body []byte) outbound.Result {
	return c.c.Client.Post(ctx, to, http.Header{"Content-Type": {"text/plain; charset=utf-8"}}, body)
}

// tell logs once that somebody does not take checkpoints, and once that they do again.
func (c *courier) tell(whom string, well bool, fault string) {
	switch {
	case well && c.told[whom]:
		c.Logger.Info("checkpoints are taken again", "by", whom)
	case !well && !c.told[whom]:
		c.Logger.Warn("a checkpoint is not taken", "by", whom, "fault", fault)
	}
	c.told[whom] = !well
}

// cosigned asks all witnesses at once and gives the lines of those that signed.
func (c *courier) cosigned(ctx context.Context, h transparency.Head) []string {
	type answer struct {
		lines []string
		size  int64
		err   error
	}
	answers := make([]answer, len(c.c.Witnesses))
	var asked sync.WaitGroup
	for i, w := range c.c.Witnesses {
		asked.Go(func() {
			a := &answers[i]
			a.lines, a.size, a.err = c.ask(ctx, w, h, c.known[w.URL])
		})
	}
	asked.Wait()
	var lines []string
	for i, w := range c.c.Witnesses {
		a := answers[i]
		fault := ""
		if a.err != nil {
			fault = a.err.Error()
		}
		c.tell(w.URL, a.err == nil, fault)
		c.known[w.URL] = a.size
		lines = append(lines, a.lines...)
	}
	return lines
}

// ask asks one witness; a second time when it says which size it knows. Size is what it knows then.
func (c *courier) ask(ctx context.Context, w Witness, h transparency.Head,
	old int64) (lines []string, size int64, err error) {
	for range 2 {
		proof, err := c.c.Store.Consistency(ctx, h.Tree, old, h.Size)
		if err != nil {
			return nil, old, err
		}
		var body bytes.Buffer
		fmt.Fprintf(&body, "old %d\n", old)
		for _, hash := range proof {
			fmt.Fprintln(&body, base64.StdEncoding.EncodeToString(hash[:]))
		}
		fmt.Fprintf(&body, "\n%s", h.Note)
		got := c.post(ctx, w.URL+"/add-checkpoint", body.Bytes())
		if got.Ending == outbound.Delivered {
			lines, err := signatures(w, h.Note, string(got.Body))
			return lines, h.Size, err
		}
		known, parsed := strconv.ParseInt(strings.TrimSpace(string(got.Body)), 10, 64)
		if got.Status != http.StatusConflict || parsed != nil || known == old || known < 0 || known > h.Size {
			return nil, old, fmt.Errorf("%s: %.200s", got.Fault, got.Body)
		}
		old = known
	}
	return nil, old, fmt.Errorf("it knows another size each time")
}

// signatures are the lines of an answer that are the witness's own.
func signatures(w Witness, signed, answer string) ([]string, error) {
	n, err := note.Open([]byte(signed+answer), note.VerifierList(w.Verifier))
	if err != nil {
		return nil, fmt.Errorf("its cosignature is not valid: %w", err)
	}
	var out []string
	for line := range strings.Lines(answer) {
		if slices.ContainsFunc(n.Sigs, func(s note.Signature) bool { return strings.Contains(line, s.Base64) }) {
			out = append(out, line)
		}
	}
	return out, nil
}
