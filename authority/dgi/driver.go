package dgi

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"folio/authority"
	"folio/authority/wire"
	"folio/country/uy"
	"folio/events"
)

// Driver is the authority.Driver of DGI, one client an environment.
type Driver struct {
	clients wire.Clients[*Client]
}

var _ authority.Driver = (*Driver)(nil)

// NewDriver makes a driver of the environments that have a client.
func NewDriver(clients wire.Clients[*Client]) *Driver { return &Driver{clients} }

// Name is "dgi".
func (*Driver) Name() string { return "dgi" }

// Can is all but rates and questions about others' documents, which DGI does not answer.
func (d *Driver) Can() authority.Capabilities {
	return authority.Capabilities{Grouper: d, Splitter: d, Renewer: d, Reporter: d, Exchanger: d}
}

func (d *Driver) talk(c authority.Credential, rec authority.Recorder) (talk, error) {
	client, err := d.clients.At("DGI", c.Environment)
	if err != nil {
		return talk{}, err
	}
	who, err := identify(c)
	return talk{client, who, rec}, err
}

// Together keeps the e-Tickets that are reported daily apart from what is sent.
func (*Driver) Together(a, b events.Document) bool { return uy.ReportOnly(a) == uy.ReportOnly(b) }

// Last says how many documents go in an envelope. DGI counts no numbers, they come from
// the CAE, and there is no login: all that is looked at is the certificate.
func (d *Driver) Last(_ context.Context, c authority.Credential, _ authority.Series,
	_ authority.Recorder) (authority.Last, error) {
	t, err := d.talk(c, nil)
	if err != nil {
		return authority.Last{}, err
	}
	return authority.Last{BatchLimit: t.batchLimit}, t.usable(c, t.now())
}

// maxEnvelope is the size of an envelope that DGI takes (SOB5, S07: 2 MB).
const maxEnvelope = 2_000_000

// Prepare signs the documents and puts them in their
// envelope. E-Tickets that are reported daily get none. An envelope that would be too
// large is authority.ErrTooLarge, with more than one document in it.
func (d *Driver) Prepare(_ context.Context, c authority.Credential, b authority.Batch) (authority.Prepared, error) {
	t, err := d.talk(c, nil)
	if err != nil {
		return authority.Prepared{}, err
	}
	alone, err := reportOnly(b)
	if err != nil {
		return authority.Prepared{}, err
	}
	content, err := t.write(b, b.SignedAt(t.now), !alone)
	if err != nil {
		return authority.Prepared{}, err
	}
	if len(content) > maxEnvelope && !alone && len(b.Documents) > 1 {
		return authority.Prepared{}, fmt.Errorf("%w: %d documents have %d bytes", authority.ErrTooLarge, len(b.Documents),
			len(content))
	}
	return authority.Prepare([]byte(content)), nil
}

// reportOnly says that a batch is of e-Tickets that are reported daily.
func reportOnly(b authority.Batch) (bool, error) {
	if len(b.Documents) == 0 {
		return false, errors.New("there is no document to send")
	}
	alone := uy.ReportOnly(b.Documents[0].Document)
	for _, d := range b.Documents[1:] {
		if uy.ReportOnly(d.Document) != alone {
			return false, errors.New("e-Tickets that are reported daily are not sent with others")
		}
	}
	return alone, nil
}

// fiscal says that what is issued counts: at DGI's own production service.
func (t talk) fiscal(c authority.Credential) bool {
	return c.Environment == authority.Production && t.endpoints == Production
}

// Ping asks the reception service for its description, which needs no certificate.
func (d *Driver) Ping(ctx context.Context, e authority.Environment) error {
	client, err := d.clients.At("DGI", e)
	if err != nil {
		return err
	}
	const op = "wsdl"
	r, err := wire.Do(ctx, client.http, wire.Request{Operation: op, Method: http.MethodGet,
		URL: client.endpoints.Reception + "?wsdl"})
	if err != nil {
		return err
	}
	return r.Fine(op)
}
