// Package dgi speaks to Uruguay's Dirección General Impositiva: it signs documents
// (CFE), sends them in envelopes (sobres) over its SOAP services, and asks what became
// of them.
//
// DGI answers twice. The receipt of an envelope (ACKSobre) says nothing about the
// documents in it; their verdicts (ACKCFE) are asked for later, with the token of the
// receipt, and may come one by one.
//
// Sources are named beside each rule: SOB5 is "Formato de Sobre" v05, MSG19 "Formato
// Mensajes de Respuesta" v19, CFE25 "Formato de los CFE" v25, XSD the schemas 1.44.2, SWE
// "Servicios Web Externos" 1.9 and ExcepcionesServicios.xsd.
//
// What no public source settles can be set: the hash of the document's signature and of
// the messages' (Options.Hash, Options.MessageHash), whom envelopes are addressed to
// (Options.Recipient), how many documents go in one (Options.BatchLimit).
package dgi
