package arca

import (
	"strings"
	"time"
)

// Zone is Argentine time: UTC-3 without daylight saving.
var Zone = time.FixedZone("-03", -3*60*60)

// Service names of WSAA tickets.
const (
	ServiceInvoices     = "wsfe"  // WSFEv1
	ServiceExports      = "wsfex" // WSFEXv1
	ServiceConstatation = "wscdc" // WSCDC, of vouchers that others issued
)

// Endpoints are the addresses of one environment.
type Endpoints struct {
	// Environment names the set in tickets and traces: "testing", "production".
	Environment string
	// WSAA, WSFE, WSFEX and WSCDC are whole URLs.
	WSAA, WSFE, WSFEX, WSCDC string
	// Ambiente is how the environment announces itself in FEHeaderInfo/ambiente
	// (its first letters); empty accepts any.
	Ambiente string
}

// Homologation is ARCA's public test environment.
var Homologation = Endpoints{
	Environment: "testing",
	WSAA:        "https://wsaahomo.afip.gov.ar/ws/services/LoginCms",
	WSFE:        "https://wswhomo.afip.gov.ar/wsfev1/service.asmx",
	WSFEX:       "https://wswhomo.afip.gov.ar/wsfexv1/service.asmx",
	WSCDC:       "https://wswhomo.afip.gov.ar/WSCDC/service.asmx",
	Ambiente:    "Homologacion",
}

// Production is where invoices are real.
var Production = Endpoints{
	Environment: "production",
	WSAA:        "https://wsaa.afip.gov.ar/ws/services/LoginCms",
	WSFE:        "https://servicios1.afip.gov.ar/wsfev1/service.asmx",
	WSFEX:       "https://servicios1.afip.gov.ar/wsfexv1/service.asmx",
	WSCDC:       "https://servicios1.afip.gov.ar/WSCDC/service.asmx",
	Ambiente:    "Produccion",
}

// EndpointsAt are the same paths under one base URL, as a sandbox or a proxy has them.
func EndpointsAt(environment, base string) Endpoints {
	base = strings.TrimRight(base, "/")
	return Endpoints{Environment: environment, WSAA: base + "/ws/services/LoginCms", WSFE: base + "/wsfev1/service.asmx",
		WSFEX: base + "/wsfexv1/service.asmx", WSCDC: base + "/WSCDC/service.asmx"}
}

// Services are the addresses by the names that the file of moved addresses has for them.
func (e *Endpoints) Services() map[string]*string {
	return map[string]*string{"wsaa": &e.WSAA, "wsfe": &e.WSFE, "wsfex": &e.WSFEX, "wscdc": &e.WSCDC}
}

// Announces says whether ambiente, as an answer gave it, belongs to this environment.
func (e Endpoints) Announces(ambiente string) bool {
	return strings.HasPrefix(ambiente, e.Ambiente)
}
