package pdf

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// document is what a reader finds in a PDF: enough of one to check ours.
type document struct {
	objects map[int]object
	pages   []string // content streams
	info    string
	fonts   []string
}

type object struct {
	dictionary string
	stream     []byte // inflated
}

var (
	startXref  = regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n?$`)
	xrefHead   = regexp.MustCompile(`^xref\n0 (\d+)\n`)
	lengthKey  = regexp.MustCompile(`/Length (\d+)`)
	kid        = regexp.MustCompile(`(\d+) 0 R`)
	contentKey = regexp.MustCompile(`/Contents (\d+) 0 R`)
	infoKey    = regexp.MustCompile(`/Info (\d+) 0 R`)
	rootKey    = regexp.MustCompile(`/Root (\d+) 0 R`)
	baseFont   = regexp.MustCompile(`/BaseFont /(\S+)`)
	escaped    = regexp.MustCompile(`(?s)\\(.)`)
	shown      = regexp.MustCompile(`(?s)\(((?:[^()\\]|\\.)*)\) Tj`)
)

// readPDF follows the cross-reference table to every object, inflates every stream
// and walks the page tree; it refuses whatever is out of place.
func readPDF(b []byte) (*document, error) {
	if !bytes.HasPrefix(b, []byte("%PDF-1.")) {
		return nil, errors.New("no PDF header")
	}
	end := startXref.FindSubmatch(b)
	if end == nil {
		return nil, errors.New("no trailer at the end")
	}
	at, _ := strconv.Atoi(string(end[1]))
	if at >= len(b) {
		return nil, errors.New("startxref points behind the end")
	}
	table := b[at:]
	head := xrefHead.FindSubmatch(table)
	if head == nil {
		return nil, errors.New("startxref does not point at a table")
	}
	count, _ := strconv.Atoi(string(head[1]))
	entries := table[len(head[0]):]
	d := &document{objects: map[int]object{}}
	for i := 1; i < count; i++ {
		offset, err := strconv.Atoi(string(entries[20*i : 20*i+10]))
		if err != nil || offset >= at {
			return nil, fmt.Errorf("object %d: bad offset", i)
		}
		o, err := readObject(b[offset:at], i)
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", i, err)
		}
		d.objects[i] = o
		for _, m := range baseFont.FindAllStringSubmatch(o.dictionary, -1) {
			d.fonts = append(d.fonts, m[1])
		}
	}
	return d, d.walk(string(entries[20*count:]))
}

func readObject(b []byte, number int) (object, error) {
	start := fmt.Sprintf("%d 0 obj\n", number)
	if !bytes.HasPrefix(b, []byte(start)) {
		return object{}, errors.New("not where the table says")
	}
	stream := bytes.Index(b, []byte("stream\n"))
	end := bytes.Index(b, []byte("endobj"))
	if end < 0 {
		return object{}, errors.New("no end")
	}
	if stream < 0 || stream > end {
		return object{dictionary: string(b[len(start):end])}, nil
	}
	o := object{dictionary: string(b[len(start):stream])}
	length := lengthKey.FindStringSubmatch(o.dictionary)
	if length == nil {
		return o, errors.New("a stream without length")
	}
	n, _ := strconv.Atoi(length[1])
	body := b[stream+len("stream\n"):]
	if n+10 > len(body) || !bytes.HasPrefix(body[n:], []byte("\nendstream")) {
		return o, errors.New("a stream of another length")
	}
	o.stream = body[:n]
	if strings.Contains(o.dictionary, "/FlateDecode") {
		z, err := zlib.NewReader(bytes.NewReader(o.stream))
		if err != nil {
			return o, err
		}
		if o.stream, err = io.ReadAll(z); err != nil {
			return o, err
		}
	}
	return o, nil
}

func (d *document) walk(trailer string) error {
	root, info := rootKey.FindStringSubmatch(trailer), infoKey.FindStringSubmatch(trailer)
	if root == nil || info == nil {
		return errors.New("the trailer lacks root or info")
	}
	d.info = d.at(info[1]).dictionary
	tree := d.objects[1].dictionary
	from, to := strings.Index(tree, "/Kids ["), strings.Index(tree, "]")
	if from < 0 || !strings.Contains(d.at(root[1]).dictionary, "/Pages 1 0 R") {
		return errors.New("no page tree")
	}
	for _, k := range kid.FindAllStringSubmatch(tree[from:to], -1) {
		content := contentKey.FindStringSubmatch(d.at(k[1]).dictionary)
		if content == nil {
			return errors.New("a page without content")
		}
		d.pages = append(d.pages, string(d.at(content[1]).stream))
	}
	if len(d.pages) == 0 {
		return errors.New("no pages")
	}
	return nil
}

func (d *document) at(number string) object {
	n, _ := strconv.Atoi(number)
	return d.objects[n]
}

// text is what a page set in a core font shows, a line for each string.
func (d *document) text(page int) string {
	var b strings.Builder
	for _, m := range shown.FindAllStringSubmatch(d.pages[page], -1) {
		raw := escaped.ReplaceAllString(m[1], "$1")
		line, err := charmap.Windows1252.NewDecoder().String(raw)
		if err != nil {
			line = "undecodable"
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
