package dgi

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"folio/authority"
)

// codeDuplicateReport is a report that is there already (ExcepcionesServicios.xsd). That
// DGI says it of the same bytes, and that it had accepted them then, is unverified: a
// refused report is taken not to be there.
const codeDuplicateReport = "109"

// SignReport is a daily report with its enveloped signature, in the form of a document's.
func (d *Driver) SignReport(_ context.Context, c authority.Credential, content []byte) (authority.Prepared, error) {
	t, err := d.talk(c, nil)
	if err != nil {
		return authority.Prepared{}, err
	}
	if err := t.usable(c, t.now()); err != nil {
		return authority.Prepared{}, err
	}
	signed, err := t.signAlone(string(content), "Reporte", t.hash)
	if err != nil {
		return authority.Prepared{}, fmt.Errorf("sign the daily report: %w", err)
	}
	return authority.Prepare([]byte(declaration + signed)), nil
}

// SendReport sends a daily report once. DGI decides at once: AR or BR (MSG19). That it has
// the report already is an answer too.
func (d *Driver) SendReport(ctx context.Context, c authority.Credential, p authority.Prepared,
	rec authority.Recorder) (authority.Reported, error) {
	t, err := d.talk(c, rec)
	if err != nil {
		return authority.Reported{}, err
	}
	a, err := t.call(ctx, sendReport, string(p.Content))
	var m *authority.Message
	if errors.As(err, &m) && m.Code == codeDuplicateReport {
		return authority.Reported{Accepted: true, Repeated: true, Sandbox: !t.fiscal(c)}, nil
	}
	if err != nil {
		return authority.Reported{}, err
	}
	switch state := strings.TrimSpace(a.Detail.State); state {
	case "AR":
		return authority.Reported{Accepted: true, Receipt: strings.TrimSpace(a.Cover.Receiver), Sandbox: !t.fiscal(c)}, nil
	case "BR":
		return authority.Reported{Reasons: messages(a.Detail.Reasons), Sandbox: !t.fiscal(c)}, nil
	default:
		return authority.Reported{}, authority.Said(state,
			fmt.Sprintf("DGI answered the report with the state %.10q, which is not known", state), nil)
	}
}
