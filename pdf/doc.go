// Package pdf turns a country's printed form into A4 pages or a ticket for a roll of 80 mm, and prepares the logos
// that stand on them. The country decides what is shown and in which words; this
// package decides where, and it is the only one that knows the PDF library.
//
// A document is made in three steps, each a file or a few:
//
//   - text: every string is normalised and what the typeface lacks is replaced by a
//     visible substitute (text.go, typeface.go, wrap.go);
//   - layout: the form becomes a list of sheets, each a list of marks with their
//     boxes in millimetres (layout.go, header.go, items.go, closing.go);
//     the ticket sets the same parts below each other (roll.go, rollparts.go, rollitems.go);
//   - painting: the marks become a PDF (paint.go).
package pdf
