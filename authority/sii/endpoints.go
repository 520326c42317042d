package sii

import "strings"

// Endpoints are the addresses of one environment.
type Endpoints struct {
	// Environment names the set in the vault and in traces: "testing", "production".
	Environment string
	// Portal is the host of login, upload and queries of every document but boletas.
	Portal string
	// Receipts is where boletas log in and are asked for, ReceiptUpload where they are sent.
	Receipts, ReceiptUpload string
}

// Certification is SII's public test environment, maullin.
var Certification = Endpoints{
	Environment: "testing", Portal: "https://maullin.sii.cl",
	Receipts: "https://apicert.sii.cl/recursos/v1", ReceiptUpload: "https://pangal.sii.cl/recursos/v1",
}

// Production is palena, where documents are real.
var Production = Endpoints{
	Environment: "production", Portal: "https://palena.sii.cl",
	Receipts: "https://api.sii.cl/recursos/v1", ReceiptUpload: "https://rahue.sii.cl/recursos/v1",
}

// EndpointsAt are the same paths under one base URL, as a sandbox or a proxy has them.
func EndpointsAt(environment, base string) Endpoints {
	base = strings.TrimRight(base, "/")
	return Endpoints{Environment: environment, Portal: base, Receipts: base + "/recursos/v1",
		ReceiptUpload: base + "/recursos/v1"}
}

// Services are the addresses by the names that the file of moved addresses has for them.
func (e *Endpoints) Services() map[string]*string {
	return map[string]*string{"portal": &e.Portal, "receipts": &e.Receipts, "receipt_upload": &e.ReceiptUpload}
}

func (e Endpoints) seed() string     { return e.Portal + "/DTEWS/CrSeed.jws" }
func (e Endpoints) token() string    { return e.Portal + "/DTEWS/GetTokenFromSeed.jws" }
func (e Endpoints) upload() string   { return e.Portal + "/cgi_dte/UPL/DTEUpload" }
func (e Endpoints) envelope() string { return e.Portal + "/DTEWS/QueryEstUp.jws" }
func (e Endpoints) document() string { return e.Portal + "/DTEWS/QueryEstDte.jws" }
func (e Endpoints) signature() string {
	return e.Portal + "/DTEWS/services/QueryEstDteAv"
}
