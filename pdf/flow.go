package pdf

// A piece is what cannot be broken: a line of text, a row, the block of totals.
type piece struct {
	textLine
	keep  bool   // on one page with the piece after it, if a page can hold both
	space bool   // white: left out at the top of a page
	row   bool   // of the items: a page that begins with it repeats the columns' titles
	after string // what the rows up to this one come to, on the last piece of each; "" otherwise
	pin   bool   // it and what follows stand at the foot of the page if they share one
}

// paper is what a flow fills: where its pieces begin from the left, where it ends, and where it begins on the second
// sheet and those behind it.
type paper struct{ left, bottom, later float64 }

var a4 = paper{left, bottom, laterTop}

// flow places the pieces on sheets. It begins on the current one at l.y.
type flow struct {
	paper  paper
	room   func() (s *sheet, y float64) // begins a sheet
	titles textLine                     // of the columns of the items
	carry  func(sum string) textLine    // the line of a subtotal that goes from page to page; nil for none

	sheet  *sheet
	y      float64
	top    float64 // where the flow begins on this sheet
	titled bool
	pinned int     // index of the first mark that goes to the foot, -1 for none
	sum    string  // of the rows so far
	limit  float64 // where this page ends: above the bottom when a subtotal must stand below
}

// begin starts a sheet and the flow at its top.
func (f *flow) begin() {
	if f.sum != "" {
		f.carry(f.sum).draw(f.sheet, f.paper.left, f.y)
	}
	f.sheet, f.y = f.room()
	if f.sum != "" {
		line := f.carry(f.sum)
		line.draw(f.sheet, f.paper.left, f.y)
		f.y += line.height
	}
	f.top, f.titled, f.pinned = f.y, false, -1
}

// reserved is the height of a subtotal at an end of a page.
func (f *flow) reserved() float64 {
	if f.carry == nil {
		return 0
	}
	return f.carry("").height
}

// place puts the pieces one below the other and breaks pages between chains of them
// that belong together. A chain that no page can hold is broken where it must.
func (f *flow) place(pieces []piece) {
	rest := make([]float64, len(pieces)+1) // height of the pieces from each on
	for i := len(pieces) - 1; i >= 0; i-- {
		rest[i] = rest[i+1] + pieces[i].height
	}
	for i := 0; i < len(pieces); {
		if f.limit = f.paper.bottom; f.y+f.titles.height+rest[i] > f.limit {
			f.limit -= f.reserved()
		}
		end := i + 1
		for end < len(pieces) && pieces[end-1].keep {
			end++
		}
		chain := pieces[i:end]
		if f.y+f.height(chain) > f.limit && f.y > f.top && fitsPage(f, chain) {
			f.begin()
		}
		for _, p := range chain {
			f.put(p)
		}
		i = end
	}
	if f.pinned >= 0 && f.y < f.paper.bottom {
		f.sheet.shift(f.pinned, f.paper.bottom-f.y)
	}
}

// height of a chain placed here, with the titles that its first row would bring.
func (f *flow) height(chain []piece) float64 {
	sum := 0.0
	titled := f.titled
	for _, p := range chain {
		if p.row && !titled {
			titled = true
			sum += f.titles.height
		}
		sum += p.height
	}
	return sum
}

// fitsPage says that a fresh sheet after the first can hold the chain.
func fitsPage(f *flow, chain []piece) bool {
	// Moving a chain that is too tall would only leave white behind.
	fresh := flow{titles: f.titles}
	return f.paper.later+2*f.reserved()+fresh.height(chain) <= f.paper.bottom
}

// put places one piece, on a new sheet if it does not fit.
func (f *flow) put(p piece) {
	need := p.height
	if p.row && !f.titled {
		need += f.titles.height
	}
	if f.y+need > f.limit && f.y > f.top {
		f.begin()
	}
	if p.pin {
		f.pinned = len(f.sheet.marks)
	}
	if p.space && f.y == f.top {
		return
	}
	if p.row && !f.titled {
		f.titled = true
		f.titles.draw(f.sheet, f.paper.left, f.y)
		f.y += f.titles.height
	}
	p.draw(f.sheet, f.paper.left, f.y)
	f.y += p.height
	if p.after != "" && f.carry != nil {
		f.sum = p.after
	}
}
