package node

import (
	"errors"
	"strconv"
	"strings"
)

const linkType = "$>"

// resolve replaces a link by the event it names. A link whose target is gone keeps its place without
// an event; one that names nothing readable stays a plain event.
func (r *read) resolve(m *eventMessage) error {
	revision, stream, ok := strings.Cut(string(m.event.data), "@")
	rev, err := strconv.ParseInt(revision, 10, 64)
	if !ok || err != nil || rev < 0 || stream == "" {
		return nil
	}
	m.link, m.event = m.event, nil // from here on the event is the target's, or absent
	end, err := r.node.store.streamEnd(r.ctx, stream)
	if errors.Is(err, errStreamDeleted) {
		return nil
	}
	if err != nil {
		return err
	}
	if end.missing() || rev > end.last || rev < end.meta.first(end.last) {
		return nil
	}
	events, _, err := r.node.store.streamPage(r.ctx, span{stream, end.num, rev, rev, 1, 1})
	if err != nil {
		return err
	}
	if !r.node.store.expired(&end.meta, &events[0]) {
		m.event = &events[0]
	}
	return nil
}
