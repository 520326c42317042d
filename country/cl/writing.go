package cl

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"folio/country"
)

// writings are characters that people paste and ISO-8859-1 lacks, with how SII is told
// them. Docs/chile.md shows the table. None is written as <, > or &, and a character that
// is neither here nor in ISO-8859-1 is refused.
var writings = strings.NewReplacer(
	"€", "EUR", "™", "(TM)", "…", "...", "•", "·", "‣", "·", "−", "-",
	"‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "―", "-",
	"“", `"`, "”", `"`, "„", `"`, "‟", `"`, "‘", "'", "’", "'", "‚", "'", "‛", "'", "′", "'", "″", `"`, "‹", "'", "›", "'",
	"Œ", "OE", "œ", "oe", "Š", "S", "š", "s", "Ž", "Z", "ž", "z", "Ÿ", "Y", "ƒ", "f", "№", "N°",
	"\u2002", " ", "\u2003", " ", "\u2009", " ", "\u200a", " ", "\u202f", " ", "\u2007", " ",
	"\u200b", "", "\u200c", "", "\u200d", "", "\u2060", "", "\ufeff", "",
)

// Written is a text as SII is told it: composed (NFC), so that an é of two characters is
// one of ISO-8859-1, and with the characters of writings in its letters.
func Written(text string) string { return writings.Replace(norm.NFC.String(text)) }

// line is a text on one line as SII is told it.
func line(text string) string { return country.Line(Written(text)) }

// cutLine is line of at most n characters.
func cutLine(text string, n int) string { return country.CutLine(Written(text), n) }
