package projections_test

import (
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/projectiontest"
)

func TestWhoWasGivenWhatAndWhatAuditorsRead(t *testing.T) {
	history := []given{
		{Stream: "company-C1", Event: events.CompanyRegistered{Company: "C1", Account: "A1", Country: "AR"}},
		{Stream: "company-C1", Event: events.AccessGranted{Account: "A2", Email: "luz@example.com", Role: "auditor"}},
		{Stream: "company-C2", Event: events.AccessGranted{Account: "A2", Email: "luz@example.com", Role: "issuer"}},
		{Stream: "company-C1", Event: events.AccessWithdrawn{Account: "A2"}},
		{
			Stream: "access-C1-2026-03-02",
			Event:  events.CompanyRead{Company: "C1", Account: "A2", Method: "GET", Path: "/api/invoices", Query: "page=2"},
		},
		{
			Stream: "access-C1-2026-03-02",
			Event: events.CompanyRead{Company: "C1", Account: "A2", Method: "POST", Path: "/api/invoices",
				Refused: "SCOPE_MISSING"},
		},
	}
	projectiontest.Check(
		t,
		projections.Memberships,
		history,
		projectiontest.Want{
			ID:   "A2",
			JSON: `{"account":"A2","companies":{"C2":{"role":"issuer","since":"2026-03-02T15:02:00Z"}}}`,
		},
	)
	projectiontest.Check(
		t,
		projections.AccessLog,
		history,
		projectiontest.Want{
			ID:         "00000000-0000-5000-8000-000000000004",
			List:       "C1",
			Ordinal:    1,
			Attributes: map[string]string{"account": "A2", "key": ""},
			JSON: `{"id":"00000000-0000-5000-8000-000000000004","company":"C1","account":"A2","at":"2026-03-02T15:04:00Z","method":"GET",
				"path":"/api/invoices","query":"page=2","request":""}`,
		},
		projectiontest.Want{
			ID:         "00000000-0000-5000-8000-000000000005",
			List:       "C1",
			Ordinal:    2,
			Attributes: map[string]string{"account": "A2", "key": ""},
			JSON: `{"id":"00000000-0000-5000-8000-000000000005","company":"C1","account":"A2","at":"2026-03-02T15:05:00Z","method":"POST",
				"path":"/api/invoices","request":"","refused":"SCOPE_MISSING"}`,
		},
	)
	projectiontest.Check(t, projections.Companies, history[:4],
		projectiontest.Want{
			ID:         "C1",
			List:       "all",
			Ordinal:    1,
			Attributes: map[string]string{"account": "A1"},
			JSON: `{"id":"C1","account":"A1","country":"AR","legal_name":"","tax_identifier":"","tax_identifier_name":"","currency":0,
				"created_at":"2026-03-02T15:00:00Z","members":{"A2":{"email":"luz@example.com","role":"auditor","since":"2026-03-02T15:01:00Z",
				"until":"2026-03-02T15:03:00Z"}}}`,
		})
}

func TestTheScopesOfAKeyAreShown(t *testing.T) {
	projectiontest.Check(t, projections.APIKeys, []given{
		{
			Stream: "apikey-K1",
			Event:  events.APIKeyIssued{Key: "K1", Company: "C1", Account: "A", SHA256: "ab", Scopes: []string{"read"}},
		},
	},
		projectiontest.Want{
			ID:         "K1",
			List:       "C1",
			Ordinal:    1,
			Attributes: map[string]string{"state": "live"},
			JSON:       `{"id":"K1","company":"C1","account":"A","sha256":"ab","scopes":["read"],"created_at":"2026-03-02T15:00:00Z"}`,
		})
}
