// Package sii is a sandbox that speaks the protocols of Chile's Servicio de Impuestos
// Internos: login by seed, upload and queries over SOAP and forms, and the boletas'
// interface, each below /cl/testing and /cl/production, which share nothing but the
// clock.
//
// It shares no code with the client on purpose: a mistake made once would be made on
// both sides and hide itself. Codes and texts are those of SII's manuals and of
// recorded answers; where no text of a code was ever seen, ours is a short one. It
// answers only what is kept on disk: a track id that left it survives a crash.
package sii
