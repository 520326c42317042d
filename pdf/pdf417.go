package pdf

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"math/big"
	"slices"
	"strconv"
)

// PDF417 (ISO/IEC 15438): a stacked barcode. Written here because the Go library for
// it computes a row indicator wrongly (boombuler/barcode issue 93), so that two of
// three symbols cannot be read, and because SII wants its own proportions.

// patterns are the 3 × 929 codewords of ISO/IEC 15438, annex A, as 16 bits each: the
// 17 modules without the first, which is always dark. Taken from the table of
// github.com/boombuler/barcode v1.1.0 (MIT).
//
//go:embed pdf417.bin
var patterns []byte

const (
	field       = 929 // codewords are elements of GF(929)
	padWord     = 900
	byteLatch   = 901
	byteLatch6  = 924 // for a multiple of six bytes
	maxWords    = 928
	minRows     = 3
	maxRows     = 90
	maxColumns  = 30
	startModule = 0x1fea8 // 17 modules
	stopModule  = 0x3fa29 // 18 modules
	rowHeight   = 3       // modules; SII, annex 2.5
	barQuiet    = 2       // modules of white around it
	barRatio    = 2.3     // width to height of a good stamp: 2 × 5 to 4 × 9 cm
)

// barLevel is the level of error correction that SII wants: 2^(5+1) words.
const barLevel = 5

var errBarcode = errors.New("the text is longer than a PDF417 symbol can hold")

// barcode is a symbol as one path: a rectangle for each run of dark modules, in a
// space where a module is 1 wide and y grows upwards. Its quiet zone is part of it.
type barcode struct {
	width, height int // modules; 0 for none
	path          string
}

// encodePDF417 encodes bytes in at most so many columns, with error correction level 5,
// or the highest below it that fits.
func encodePDF417(data []byte, most int) (barcode, error) {
	if len(data) == 0 {
		return barcode{}, nil
	}
	for level := barLevel; level >= 2; level-- {
		if words, columns, ok := arrange(compactBytes(data), level, most); ok {
			return drawSymbol(words, columns, level), nil
		}
	}
	return barcode{}, errBarcode
}

// compactBytes is byte compaction: six bytes become five digits of base 900, the rest
// one word each.
func compactBytes(data []byte) []int {
	words := []int{byteLatch}
	if len(data)%6 == 0 {
		words[0] = byteLatch6
	}
	for ; len(data) >= 6; data = data[6:] {
		n, digit, base := new(big.Int).SetBytes(data[:6]), new(big.Int), big.NewInt(900)
		var five [5]int
		for i := range five {
			n.DivMod(n, base, digit)
			five[4-i] = int(digit.Int64())
		}
		words = append(words, five[:]...)
	}
	for _, b := range data {
		words = append(words, int(b))
	}
	return words
}

// arrange chooses the number of columns whose symbol comes closest to the wanted
// proportions, pads to whole rows and adds the length and the correction words.
func arrange(data []int, level, most int) (words []int, columns int, ok bool) {
	correction := 1 << (level + 1)
	total := len(data) + 1 + correction
	best := 0.0
	for c := 1; c <= most; c++ {
		rows := max(minRows, (total+c-1)/c)
		if rows > maxRows || rows*c > maxWords {
			continue
		}
		ratio := float64(symbolWidth(c)) / float64(rows*rowHeight)
		if miss := max(ratio/barRatio, barRatio/ratio); columns == 0 || miss < best {
			columns, best = c, miss
		}
	}
	if columns == 0 {
		return nil, 0, false
	}
	rows := max(minRows, (total+columns-1)/columns)
	words = append([]int{rows*columns - correction}, data...)
	for len(words) < rows*columns-correction {
		words = append(words, padWord)
	}
	return append(words, correctionWords(words, correction)...), columns, true
}

// symbolWidth is start, left indicator, columns, right indicator and stop.
func symbolWidth(columns int) int { return (columns+4)*17 + 1 }

// correctionWords are the Reed-Solomon words over GF(929) with the roots 3^1, 3^2, ...
// (section 5.4 of the standard).
func correctionWords(words []int, count int) []int {
	generator := []int{1} // from the highest power down
	root := 1
	for range count {
		root = root * 3 % field
		next := append(slices.Clone(generator), 0)
		for i, g := range generator {
			next[i+1] = (next[i+1] + (field-root)*g) % field
		}
		generator = next
	}
	rest := make([]int, count)
	for _, w := range words {
		top := (w + rest[0]) % field
		copy(rest, rest[1:])
		rest[count-1] = 0
		for i := range rest {
			rest[i] = (rest[i] + (field-top)*generator[i+1]) % field
		}
	}
	for i := range rest {
		rest[i] = (field - rest[i]) % field
	}
	return rest
}

// indicators are the row indicators left and right of a row (section 5.11): which
// rows, level and columns the symbol has, each in one row of three.
func indicators(row, rows, columns, level int) (left, right int) {
	tall, corrected, wide := (rows-1)/3, level*3+(rows-1)%3, columns-1
	base := 30 * (row / 3)
	switch row % 3 {
	case 0:
		return base + tall, base + wide
	case 1:
		return base + corrected, base + tall
	}
	return base + wide, base + corrected
}

// modulesOf are the 17 modules of a codeword in the cluster of its row.
func modulesOf(row, word int) int {
	at := 2 * (row%3*field + word)
	return 1<<16 | int(binary.BigEndian.Uint16(patterns[at:]))
}

// symbolRows are the modules of each row, dark ones true.
func symbolRows(words []int, columns, level int) [][]bool {
	rows := len(words) / columns
	lines := make([][]bool, rows)
	for row := range lines {
		line := make([]bool, 0, symbolWidth(columns))
		put := func(modules, n int) {
			for bit := n - 1; bit >= 0; bit-- {
				line = append(line, modules>>bit&1 == 1)
			}
		}
		left, right := indicators(row, rows, columns, level)
		put(startModule, 17)
		put(modulesOf(row, left), 17)
		for _, w := range words[row*columns : (row+1)*columns] {
			put(modulesOf(row, w), 17)
		}
		put(modulesOf(row, right), 17)
		put(stopModule, 18)
		lines[row] = line
	}
	return lines
}

// drawSymbol writes the rectangles of a symbol.
func drawSymbol(words []int, columns, level int) barcode {
	lines := symbolRows(words, columns, level)
	code := barcode{width: symbolWidth(columns) + 2*barQuiet, height: len(lines)*rowHeight + 2*barQuiet}
	path := make([]byte, 0, 64<<10)
	for row, line := range lines {
		for x := 0; x < len(line); x++ {
			if !line[x] {
				continue
			}
			from := x
			for x < len(line) && line[x] {
				x++
			}
			for _, n := range [3]int{barQuiet + from, code.height - barQuiet - (row+1)*rowHeight, x - from} {
				path = strconv.AppendInt(path, int64(n), 10)
				path = append(path, ' ')
			}
			path = strconv.AppendInt(path, rowHeight, 10)
			path = append(path, " re\n"...)
		}
	}
	code.path = string(path)
	return code
}
