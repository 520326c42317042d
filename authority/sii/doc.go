// Package sii speaks to Chile's Servicio de Impuestos Internos: it writes and signs
// documents (DTE) and their envelopes (EnvioDTE, EnvioBOLETA), logs in with a signed
// seed, uploads, and asks what became of them.
//
// Sources are named beside each rule: AUT is SII's manual of automatic authentication
// v1.9, FMT "Formato de documentos tributarios electrónicos" v2.2, XSD its schemas
// DTE_v10, EnvioDTE_v10, EnvioBOLETA_v11 and xmldsignature_v10, REST the OpenAPI
// description of the boletas' interface (1.0.5).
package sii
