// Package dgi is a sandbox that speaks the protocols of Uruguay's Dirección General
// Impositiva: WS_eFactura and WS_eFactura_Consultas over SOAP with WS-Security, below
// /uy/testing and /uy/production, which share nothing but the clock and the CAEs.
//
// It shares no code with the client on purpose: a mistake made once would be made on
// both sides and hide itself. Codes and texts are those of DGI's response format
// (Formato de Mensaje de Respuesta v19) and schemas (1.44.2). It answers only what is
// kept on disk: a receipt that left it survives a crash.
package dgi
