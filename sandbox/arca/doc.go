// Package arca is a sandbox that speaks the protocols of Argentina's tax authority:
// WSAA, WSFEv1, WSFEXv1 and WSCDC at the paths of the real services, each below
// /testing and /production, which share nothing but the clock.
//
// It shares no code with the client on purpose: a mistake made once would be made on
// both sides and hide itself. Codes, texts and tolerances are those of the WSFEv1 manual
// v4.8 and of recorded answers; where no text of a code was ever seen, ours is a short
// one. It answers only what is kept on disk: a CAE that left it survives a crash.
package arca
