package node

// resolve replaces a link by the event it names. A link whose target is gone keeps its place without
// an event; one that names nothing readable stays a plain event.
func (r *read) resolve(m *eventMessage) error {
	target, isLink, err := r.node.store.Target(r.ctx, m.event)
	if err == nil && isLink {
		m.link, m.event = m.event, target
	}
	return err
}
