package projections_test

import (
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/projectiontest"
)

type given = projectiontest.Given

func TestCompaniesKeepWhatDecidesWhetherTheyCanIssue(t *testing.T) {
	projectiontest.Check(t, projections.Companies, []given{
		{Stream: "company-C1", Event: events.CompanyRegistered{Company: "C1", Account: "A", Country: "AR",
			LegalName:     "Uno SA",
			TaxIdentifier: "30712345671", TaxIdentifierName: "CUIT", StartActivitiesDate: "2020-01-31", Currency: 1}},
		{Stream: "company-C2", Event: events.CompanyRegistered{Company: "C2", Account: "A", Country: "AR",
			LegalName:     "Dos SA",
			TaxIdentifier: "30712345672", TaxIdentifierName: "CUIT", Currency: 1}},
		{Stream: "company-C1", Event: events.LogoUploaded{SHA256: "aa", Width: 10, Height: 20}},
		{Stream: "company-C1", Event: events.CertificateUploaded{Certificate: "X1", Environment: "Testing",
			ValidFrom: "2026-01-01T00:00:00Z", ValidTo: "2028-01-01T00:00:00Z", Secret: "certificate/X1"}},
		{Stream: "company-C1", Event: events.FiscalProfileSet{Profile: events.FiscalProfile{TaxCondition: "exento"}}},
		{Stream: "company-C1", Event: events.FiscalProfileSet{Profile: events.FiscalProfile{TaxCondition: "responsable_inscripto",
			Fields: map[string]string{"b": "2", "a": "1"}}}},
		{Stream: "company-C1", Event: events.LogoUploaded{SHA256: "bb", Width: 30, Height: 40}},
		{Stream: "company-C2", Event: events.CompanyMoved{Account: "B"}},
		{Stream: "company-C1", Event: events.CertificateUploaded{Certificate: "X2", Environment: "Production"}},
		{Stream: "company-C1", Event: events.CertificateRemoved{Certificate: "X1"}},
	},
		projectiontest.Want{ID: "C1", List: "all", Ordinal: 1, Attributes: map[string]string{"account": "A"},
			JSON: `{"id":"C1","account":"A","country":"AR","legal_name":"Uno SA",
			"tax_identifier":"30712345671","tax_identifier_name":"CUIT","start_activities_date":"2020-01-31","currency":1,
			"created_at":"2026-03-02T15:00:00Z","profile":{"address":{},"tax_condition":"responsable_inscripto","fields":{"a":"1","b":"2"}},
			"logo":{"sha256":"bb","width":30,"height":40},
			"certificates":[{"id":"X2","environment":"Production","valid_from":"","valid_to":"",
			"uploaded_at":"2026-03-02T15:08:00Z"}],"first":"Testing"}`},
		projectiontest.Want{ID: "C2", List: "all", Ordinal: 2, Attributes: map[string]string{"account": "B"},
			JSON: `{"id":"C2","account":"B","country":"AR","legal_name":"Dos SA",
			"tax_identifier":"30712345672","tax_identifier_name":"CUIT","currency":1,"created_at":"2026-03-02T15:01:00Z"}`},
	)
}

func TestAPIKeysAreListedWithoutWhatCouldReplaceThem(t *testing.T) {
	projectiontest.Check(t, projections.APIKeys, []given{
		{Stream: "apikey-K1", Event: events.APIKeyIssued{Key: "K1", Company: "C1", Account: "A", Description: "till",
			SHA256: "ab"}},
		{Stream: "apikey-K2", Event: events.APIKeyIssued{Key: "K2", Company: "C1", Account: "A", SHA256: "ab"}},
		{Stream: "apikey-K1", Event: events.APIKeyRevoked{}},
	},
		projectiontest.Want{ID: "K1", List: "C1", Ordinal: 1, Attributes: map[string]string{"state": "revoked"},
			JSON: `{"id":"K1","company":"C1","account":"A","description":"till","sha256":"ab","scopes":["read","issue","manage"],"created_at":"2026-03-02T15:00:00Z","revoked_at":"2026-03-02T15:02:00Z"}`},
		projectiontest.Want{ID: "K2", List: "C1", Ordinal: 2, Attributes: map[string]string{"state": "live"},
			JSON: `{"id":"K2","company":"C1","account":"A","sha256":"ab","scopes":["read","issue","manage"],"created_at":"2026-03-02T15:01:00Z"}`},
	)
}

func TestCertificatesAreListedByCompanyWithoutTheirSecret(t *testing.T) {
	up := events.CertificateUploaded{Certificate: "X1", Environment: "Production", SerialNumber: "7", Subject: "CN=Uno",
		Issuer: "CN=AC", TaxIdentifier: "30712345671", ValidFrom: "2026-01-01T00:00:00Z", ValidTo: "2028-01-01T00:00:00Z",
		Fingerprint: "ff", Secret: "certificate/X1"}
	second := up
	second.Certificate, second.Environment = "X2", "Testing"
	projectiontest.Check(t, projections.Certificates,
		[]given{{Stream: "company-C1", Event: up}, {Stream: "company-C1", Event: second},
			{Stream: "company-C1", Event: events.CertificateRemoved{Certificate: "X2"}}},
		projectiontest.Want{ID: "X1", List: "C1", Ordinal: 1,
			Attributes: map[string]string{"environment": "Production", "state": "live"},
			JSON: `{"id":"X1","company":"C1","environment":"Production","serial_number":"7","subject":"CN=Uno","issuer":"CN=AC",
			"tax_identifier":"30712345671","valid_from":"2026-01-01T00:00:00Z","valid_to":"2028-01-01T00:00:00Z","fingerprint":"ff","uploaded_at":"2026-03-02T15:00:00Z"}`},
		projectiontest.Want{ID: "X2", List: "C1", Ordinal: 2,
			Attributes: map[string]string{"environment": "Testing", "state": "removed"},
			JSON: `{"id":"X2","company":"C1","environment":"Testing","serial_number":"7","subject":"CN=Uno","issuer":"CN=AC",
			"tax_identifier":"30712345671","valid_from":"2026-01-01T00:00:00Z","valid_to":"2028-01-01T00:00:00Z","fingerprint":"ff","uploaded_at":"2026-03-02T15:01:00Z",
			"removed_at":"2026-03-02T15:02:00Z"}`},
	)
}

func TestNumberingShowsTheLastNumberTheOpenSubmissionAndTheHold(t *testing.T) {
	const series = "numbering-C1-Testing-1-5"
	history := []given{
		{Stream: series, Event: events.SubmissionOpened{Submission: "S1", First: 8, Invoices: []string{"I1", "I2"},
			AuthorityLast: 7}},
		{Stream: series, Event: events.SubmissionSettled{Submission: "S1", Outcomes: []events.Outcome{
			{Invoice: "I1", Number: 8, Result: events.Accepted}, {Invoice: "I2", Number: 9, Result: events.Rejected}}}},
		{Stream: series, Event: events.ForeignNumbersNoticed{From: 9, To: 11}},
		{Stream: series, Event: events.SeriesHeld{Reason: "number 12 is another document"}},
		{Stream: series, Event: events.SubmissionOpened{Submission: "S2", First: 12, Invoices: []string{"I2"},
			AuthorityLast: 11}},
	}
	open := `"open":[{"submission":"S2","first":12,"invoices":["I2"],"opened_at":"2026-03-02T15:04:00Z"}]`
	projectiontest.Check(t, projections.Numbering, history,
		projectiontest.Want{ID: "C1-Testing-1-5", Attributes: map[string]string{"state": "held", "company": "C1"},
			JSON: `{"id":"C1-Testing-1-5","last":11,"last_accepted":8,"held":{"reason":"number 12 is another document","since":"2026-03-02T15:03:00Z"},` + open + `}`})
	history = append(history, given{Stream: series, Event: events.SeriesReleased{}})
	projectiontest.Check(t, projections.Numbering, history,
		projectiontest.Want{ID: projections.SeriesID("C1", "Testing", 1, 5),
			Attributes: map[string]string{"state": "goes on", "company": "C1"},
			JSON:       `{"id":"C1-Testing-1-5","last":11,"last_accepted":8,` + open + `}`})
}

func TestNumberingGoesOnWithTheNumberThatAnOperatorNamed(t *testing.T) {
	const series = "numbering-C1-Production-33-0"
	up := func(id string, from, to int64) given {
		return given{Stream: series, Event: events.NumberingRangeUploaded{Range: id, Company: "C1", From: from, To: to}}
	}
	projectiontest.Check(t, projections.Numbering, []given{up("RA", 1, 10), up("RB", 11, 20),
		{Stream: series, Event: events.SeriesHeld{Reason: "restored"}},
		{Stream: series, Event: events.SeriesReleased{Reason: "looked", Range: "RB", Next: 14}},
	}, projectiontest.Want{ID: "C1-Production-33-0", JSON: `{"id":"C1-Production-33-0","last":0,"last_accepted":0,
		"ranges":[{"id":"RA","from":1,"to":10,"next":11},{"id":"RB","from":11,"to":20,"next":14}]}`})
}

func TestNumberingTellsRangesOfTwoSeriesLettersApart(t *testing.T) {
	const series = "numbering-C1-Testing-111-0"
	up := func(id, letter string) given {
		return given{Stream: series, Event: events.NumberingRangeUploaded{Range: id, Company: "C1", Series: letter, From: 1,
			To: 100}}
	}
	projectiontest.Check(t, projections.Numbering, []given{up("RA", "A"), up("RB", "B"),
		{Stream: series, Event: events.SubmissionOpened{Submission: "S1", Range: "RB", First: 1,
			Invoices: []string{"I1", "I2"}}},
		{Stream: series, Event: events.SubmissionSettled{Submission: "S1"}},
	}, projectiontest.Want{ID: "C1-Testing-111-0", JSON: `{"id":"C1-Testing-111-0","last":0,"last_accepted":0,
		"ranges":[{"id":"RA","from":1,"to":100,"next":1},{"id":"RB","from":1,"to":100,"next":3}]}`})
}
