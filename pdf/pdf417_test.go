package pdf

import (
	"bytes"
	"math/big"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	_ "folio/rapidseed"
)

// The table's own rules (ISO/IEC 15438, section 5.3.1): four bars and four spaces of
// 1 to 6 modules, and b1 − b2 + b3 − b4 mod 9 is the cluster 0, 3 or 6 of the row.
func TestThePatternsAreThoseOfTheStandard(t *testing.T) {
	seen := map[int]bool{}
	for cluster := range 3 {
		for word := range field {
			modules := modulesOf(cluster, word)
			var runs []int
			for i, last := 16, -1; i >= 0; i-- {
				if bit := modules >> i & 1; bit != last {
					runs, last = append(runs, 0), bit
				}
				runs[len(runs)-1]++
			}
			if bits.Len(uint(modules)) != 17 || len(runs) != 8 || seen[modules] {
				t.Fatalf("cluster %d, word %d: %017b", cluster, word, modules)
			}
			seen[modules] = true
			for _, r := range runs {
				if r > 6 {
					t.Fatalf("word %d has a run of %d", word, r)
				}
			}
			if sum := runs[0] - runs[2] + runs[4] - runs[6]; (sum+9)%9 != 3*cluster {
				t.Fatalf("word %d is in cluster %d, not %d", word, (sum+9)%9, 3*cluster)
			}
		}
	}
}

// readSymbol reads a symbol back from its modules: every row's indicators, the
// codewords, the correction words and the bytes.
func readSymbol(t rapid.TB, lines [][]bool) []byte {
	t.Helper()
	words := map[int]map[int]int{}
	for cluster := range 3 {
		words[cluster] = map[int]int{}
		for w := range field {
			words[cluster][modulesOf(cluster, w)] = w
		}
	}
	columns := (len(lines[0])-1)/17 - 4
	var all []int
	for row, line := range lines {
		var codes []int
		for at := 17; at < len(line)-18; at += 17 {
			modules := 0
			for _, dark := range line[at : at+17] {
				modules <<= 1
				if dark {
					modules |= 1
				}
			}
			w, ok := words[row%3][modules]
			if !ok {
				t.Fatalf("row %d: no codeword at %d", row, at)
			}
			codes = append(codes, w)
		}
		// What a reader learns from the indicators of three rows.
		left, right := codes[0]-30*(row/3), codes[len(codes)-1]-30*(row/3)
		tall, wide := (len(lines)-1)/3, columns-1
		if row%3 == 0 && (left != tall || right != wide) || row%3 == 1 && right != tall || row%3 == 2 && left != wide {
			t.Fatalf("row %d of %d: indicators %d and %d", row, len(lines), left, right)
		}
		all = append(all, codes[1:len(codes)-1]...)
	}
	return bytesOf(t, all)
}

func bytesOf(t rapid.TB, all []int) []byte {
	t.Helper()
	length := all[0]
	root := 1
	for range len(all) - length { // every root of the generator is one of the whole
		root = root * 3 % field
		sum := 0
		for _, w := range all {
			sum = (sum*root + w) % field
		}
		if sum != 0 {
			t.Fatalf("the correction words do not fit: syndrome %d", sum)
		}
	}
	data := all[1:length]
	for len(data) > 0 && data[len(data)-1] == padWord {
		data = data[:len(data)-1]
	}
	latch, data := data[0], data[1:]
	var out []byte
	for len(data) >= 5 && (latch == byteLatch6 || len(data) > 5 || len(data) == 5) {
		n := new(big.Int)
		for _, w := range data[:5] {
			n.Add(n.Mul(n, big.NewInt(900)), big.NewInt(int64(w)))
		}
		if latch == byteLatch && len(data) == 5 { // five single bytes end the text
			break
		}
		out = append(out, n.FillBytes(make([]byte, 6))...)
		data = data[5:]
	}
	for _, w := range data {
		out = append(out, byte(w))
	}
	return out
}

func TestWhatIsEncodedIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 1, 1000).Draw(t, "data")
		words, columns, ok := arrange(compactBytes(data), barLevel, maxColumns)
		if !ok {
			t.Fatalf("%d bytes do not fit", len(data))
		}
		if got := readSymbol(t, symbolRows(words, columns, barLevel)); !bytes.Equal(got, data) {
			t.Fatalf("%d bytes came back as %d", len(data), len(got))
		}
	})
}

func TestSizesOfSymbols(t *testing.T) {
	for _, c := range []struct {
		bytes    int
		fits     bool
		from, to float64 // proportions
	}{{1, true, 0.5, 12}, {100, true, 1.8, 3}, {746, true, 2, 2.7}, {1000, true, 2, 2.7}, {1090, true, 1, 6},
		{1200, false, 0, 0}} {
		code, err := encodePDF417(bytes.Repeat([]byte("x"), c.bytes), maxColumns)
		if (err == nil) != c.fits {
			t.Errorf("%d bytes: %v", c.bytes, err)
			continue
		}
		if ratio := float64(code.width) / float64(code.height); c.fits && (ratio < c.from || ratio > c.to) {
			t.Errorf("%d bytes: %d × %d modules", c.bytes, code.width, code.height)
		}
	}
	if code, err := encodePDF417(nil, maxColumns); err != nil || code.width != 0 {
		t.Errorf("nothing gives %d modules, %v", code.width, err)
	}
}
