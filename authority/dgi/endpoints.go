package dgi

import "strings"

// Endpoints are the addresses of one environment.
type Endpoints struct {
	// Environment names the set in the vault and in traces: "testing", "production".
	Environment string
	// Reception is WS_eFactura: envelopes, daily reports, and the verdicts of an envelope.
	Reception string
	// Queries is WS_eFactura_Consultas: what DGI has under a number.
	Queries string
}

// Test is DGI's test environment, ePrueba.
var Test = Endpoints{
	Environment: "testing", Reception: "https://efactura.dgi.gub.uy:6443/ePrueba/ws_eprueba",
	Queries: "https://efactura.dgi.gub.uy:6460/ePrueba/ws_consultasPrueba",
}

// Production is where documents are real.
var Production = Endpoints{
	Environment: "production", Reception: "https://efactura.dgi.gub.uy/efactura/ws_efactura",
	Queries: "https://efactura.dgi.gub.uy:6440/efactura/ws_consultas",
}

// EndpointsAt are both services under one base URL, as a sandbox or a proxy has them.
func EndpointsAt(environment, base string) Endpoints {
	base = strings.TrimRight(base, "/")
	return Endpoints{Environment: environment, Reception: base + "/ws_efactura", Queries: base + "/ws_consultas"}
}

// Services are the addresses by the names that the file of moved addresses has for them.
func (e *Endpoints) Services() map[string]*string {
	return map[string]*string{"reception": &e.Reception, "queries": &e.Queries}
}
