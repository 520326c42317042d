package console

import "net/http"

func (v *visit) newInvoice() error { return v.showIssue(http.StatusOK) }

func (v *visit) showIssue(status int) error {
	v.render(status, "issue", "New document", nil)
	return nil
}

func (v *visit) issueInvoice() error { return v.showIssue(http.StatusOK) }
