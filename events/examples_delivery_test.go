package events_test

import (
	"encoding/json"

	"folio/events"
)

const (
	webhookStream  = "webhook-<company>"
	deliveryStream = "delivery-<event id>"
	outageStream   = "outage-<company>-<environment>-<authority>"
	replayStream   = "replay-<id>"
)

// delivered are the examples of what companies are told, and of their ranges.
var delivered = []example{
	{webhookStream, events.WebhookSubscribed{Company: exampleCompany, Webhook: 17, URL: "https://tienda.example.com/folio",
		Events: []string{"ISE", "CER"}, Description: "Tienda", Secret: "company/" + exampleCompany + "/webhook/1"}},
	{webhookStream, events.WebhookChanged{URL: "https://tienda.example.com/otra", Events: []string{"ISE"},
		Description: "Tienda", Status: "paused"}},
	{webhookStream, events.WebhookSecretRotated{Secret: "company/" + exampleCompany + "/webhook/2", Overlap: at}},
	{webhookStream, events.WebhookRemoved{}},

	{deliveryStream, events.DeliveryScheduled{Delivery: "0b8a1c1e-6a56-5d4e-9a51-6a5b2f0d9d12", Company: exampleCompany,
		Webhook: 17,
		Code:    "ISE", Document: exampleInvoice, Payload: json.RawMessage(`{"event":"ISE","status":"Accepted"}`), Due: at}},
	{deliveryStream, events.DeliveryAttempted{Company: exampleCompany, Document: exampleInvoice, Series: 1, Attempt: 2,
		URL: "https://tienda.example.com/folio", Started: at, Milliseconds: 412,
		Status: 503, Delivered: true, Outcome: "status", Fault: "the receiver answered 503", Body: "later", Next: &at}},
	{deliveryStream, events.DeliveryExhausted{Company: exampleCompany, Document: exampleInvoice}},
	{deliveryStream, events.DeliveryResent{Company: exampleCompany, Document: exampleInvoice, Webhook: 17, Code: "ISE",
		Series: 2, Replay: "01KJQ8V0000000000000000000", Due: at}},
	{deliveryStream, events.DeliverySuperseded{Company: exampleCompany, Document: exampleInvoice,
		By: "0b8a1c1e-6a56-5d4e-9a51-6a5b2f0d9d13"}},
	{deliveryStream, events.DeliveryCancelled{Company: exampleCompany, Document: exampleInvoice,
		Reason: "the subscription was deleted"}},

	{replayStream, events.ReplayStarted{Replay: "01KJQ8V0000000000000000000", Company: exampleCompany, Webhook: 17,
		From: &at, To: &at,
		Since: events.Position{Commit: 12, Prepare: 12}, Codes: []string{"ISE"}, Planned: 250}},
	{replayStream, events.ReplayProgressed{Done: 100, Reached: events.Position{Commit: 512, Prepare: 512}}},
	{replayStream, events.ReplayFinished{Done: 250}},
	{replayStream, events.ReplayCancelled{}},

	{invoiceStream, events.AuthorityReceived{Submission: "01KJQ8V0000000000000000000", Receipt: "9876543210"}},
	{invoiceStream, events.InvoiceHandedOver{Basis: "sent"}},
	{outageStream, events.AuthorityOutageOpened{Outage: "01KJQ8W0000000000000000000", Company: exampleCompany,
		Environment: "Production", Authority: "sii", Cause: "calls", Reason: "the line is cut", Since: at, Calls: 3,
		Evidence: []events.FailingCall{{At: at, Operation: "uploadDTE", Fault: "timeout", Spared: true}}}},
	{outageStream, events.AuthorityOutageClosed{Outage: "01KJQ8W0000000000000000000", Company: exampleCompany,
		Environment: "Production", Authority: "sii", Cause: "call", Reason: "the line is back", Operation: "uploadDTE",
		Since: at, Until: at, Seconds: 5400}},

	{"certificate-<id>", events.CertificateExpiryNoticed{Company: exampleCompany,
		Certificate: "01KJQ8K9999999999999999999", Days: 30}},

	{seriesStream, events.NumberingRangeUploaded{Range: "01KJQ8S0000000000000000000", Company: exampleCompany,
		Environment:  "Testing",
		DocumentType: 55, OfficialCode: 33, Series: "A", From: 1, To: 100, IssuedOn: "2026-01-15", ExpiresOn: "2026-07-15",
		Authority: "90230000001", Fingerprint: exampleHash, Secret: "company/" + exampleCompany + "/range/1"}},
	{seriesStream, events.NumberingStartConfigured{Range: "01KJQ8S0000000000000000000", From: 42}},
	{seriesStream, events.NumberVoided{Number: 42, Series: "A", Invoice: exampleInvoice,
		Reasons: []events.AuthorityMessage{message}}},
	{seriesStream, events.NumberingNoticed{Kind: "quantity", Notice: 1, Days: 7, Range: "01KJQ8S0000000000000000000",
		Remaining: 20, OfficialCode: 33}},

	{"purchase-<id>", events.PurchaseReceived{Purchase: "01KJQ8T0000000000000000000", Company: exampleCompany,
		Country: "UY", OfficialCode: 111,
		BranchOffice: 1, Series: "A", Number: 42, Date: "2026-03-01", Supplier: document.Issuer, Currency: "UYU",
		Total:         "1220.00",
		Authorization: "90230000001", Verification: "signature_valid",
		Verified: "The signature is that of the certificate inside.",
		Taxes:    &events.PurchaseTaxes{Net: "1000.00", Exempt: "0.00", Tax: "220.00"},
		Source:   "cfe", DocumentSHA256: exampleHash, Messages: []events.AuthorityMessage{message},
		Calls: []events.Call{{Operation: "ComprobanteConstatar", At: at, Request: exampleHash, Answer: exampleHash,
			Fault: "timeout"}}}},
	{"purchase-<id>", events.PurchaseCorrected{Purchase: "01KJQ8T0000000000000000000", Company: exampleCompany,
		Date:     "2026-11-26",
		Supplier: document.Issuer, Currency: "UYU", Total: "1220.00",
		Authorization: "90230000001", Verification: "authority_confirmed",
		Taxes:    &events.PurchaseTaxes{Net: "1000.00", Exempt: "0.00", Tax: "220.00"},
		Verified: "The authority was asked and confirms it.", Source: "json",
		DocumentSHA256: exampleHash, Messages: []events.AuthorityMessage{message}, Calls: exampleCalls}},
	{"purchase-<id>", events.PurchaseVerified{Purchase: "01KJQ8T0000000000000000000", Company: exampleCompany,
		Verification: "authority_confirmed",
		Taxes:        &events.PurchaseTaxes{Net: "1000.00", Exempt: "0.00", Tax: "220.00"},
		Verified:     "The authority was asked and confirms it.", Messages: []events.AuthorityMessage{message},
		Calls: []events.Call{{Operation: "ComprobanteConstatar", At: at, Request: exampleHash, Answer: exampleHash,
			Fault: "timeout"}}}},
}

func init() { examples = append(examples, delivered...) }
