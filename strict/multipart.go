package strict

import (
	"bytes"
	"encoding/binary"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"slices"
	"strconv"

	"folio/fault"
)

// maxParts is how many parts a form may have; the largest of ours has 5.
const maxParts = 32

// File is an uploaded file, in memory.
type File struct {
	// Name is what the client calls it: untrusted, never a path.
	Name string
	Data []byte
}

// Form reads the parts of a multipart/form-data body and collects what is wrong with
// them. Call Done when all is read.
type Form struct {
	parts map[string]part
	order []string
	asked []string
	wrong violations
}

type part struct {
	data     []byte
	filename string
	file     bool
}

// ParseForm reads the parts of a form into memory, never into temporary files. Its
// faults: 413 when body ends in an http.MaxBytesError; 400 for a broken form, or for text
// that is not UTF-8.
func ParseForm(body io.Reader, boundary string) (*Form, error) {
	f := &Form{parts: map[string]part{}}
	reader := multipart.NewReader(body, boundary)
	for n := 0; ; n++ {
		p, err := reader.NextPart()
		// A body without its last boundary wraps io.EOF: only the bare one is the end.
		//nolint:errorlint
		if err == io.EOF {
			return f, nil
		}
		if err != nil {
			return nil, formFault(err)
		}
		if n == maxParts {
			return nil, fault.New(fault.TooLarge, "TOO_MANY_PARTS", "The form has more than "+strconv.Itoa(maxParts)+" parts.")
		}
		if err := f.add(p); err != nil {
			return nil, err
		}
	}
}

// Canonical are the bytes by which two forms are compared: each part's name and content by name,
// with their lengths, whatever boundary they came between and what their files are called.
func (f *Form) Canonical() ([]byte, error) {
	var out []byte
	for _, name := range slices.Sorted(maps.Keys(f.parts)) {
		for _, b := range [][]byte{[]byte(name), f.parts[name].data} {
			out = append(binary.BigEndian.AppendUint64(out, uint64(len(b))), b...)
		}
	}
	return out, nil
}

func (f *Form) add(p *multipart.Part) error {
	name := p.FormName()
	if name == "" {
		return fault.New(fault.Unparsable, "FORM_BROKEN",
			`A part of the form has no name: each needs Content-Disposition: form-data; name="…".`)
	}
	if !validUTF8(name) {
		return fault.New(fault.Unparsable, "FORM_BROKEN", "The name of a part is not UTF-8.")
	}
	var data bytes.Buffer
	if _, err := data.ReadFrom(p); err != nil {
		return formFault(err)
	}
	_, params, err := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
	_, file := params["filename"]
	if err == nil && !file && !validUTF8(data.String()) {
		return fault.New(fault.Unparsable, "FORM_NOT_UTF8", "The part "+member(rootPath, name)+" is not text in UTF-8.")
	}
	if _, twice := f.parts[name]; twice {
		f.Fail(name, CodeRepeated, "must be given once")
		return nil
	}
	f.parts[name] = part{data: data.Bytes(), filename: p.FileName(), file: file}
	f.order = append(f.order, name)
	return nil
}

// formFault keeps 413 and words everything else as a broken form.
func formFault(err error) error {
	known := fault.As(BodyFault(err))
	if known.Code == fault.TooLarge {
		return known
	}
	return fault.New(fault.Unparsable, "FORM_BROKEN",
		"The form is broken: its parts do not end with the boundary that its Content-Type names. Send it again.")
}

// Text reads a part of text; the rules for text hold.
func (f *Form) Text(name string, list ...Rule) string {
	r := resolve(list)
	return f.check(name, &r, asText)
}

// Date reads a part with a date in the form YYYY-MM-DD.
func (f *Form) Date(name string, list ...Rule) string {
	r := resolve(list)
	return f.check(name, &r, asDate)
}

// File reads a part with a file. An empty file reads as missing.
func (f *Form) File(name string, list ...Rule) File {
	r := resolve(list)
	f.asked = append(f.asked, name)
	p, ok := f.parts[name]
	switch {
	case !ok && !r.required:
	case !ok:
		f.Fail(name, CodeRequired, "is required: a file")
	case !p.file:
		f.Fail(name, CodeFileExpected, `must be a file: give the part a filename (curl: -F `+name+`=@FILE)`)
	case len(p.data) == 0 && r.required:
		f.Fail(name, CodeRequired, "must not be an empty file")
	default:
		return File{Name: Shorten(p.filename, 255), Data: p.data}
	}
	return File{}
}

// Has says whether the part is there.
func (f *Form) Has(name string) bool {
	_, ok := f.parts[name]
	return ok
}

// Fail adds a violation of the part.
func (f *Form) Fail(name, code, message string) {
	f.wrong.add(member(rootPath, name), code, message)
}

// Done reports the parts that nobody asked for and returns all that is wrong as one
// fault of code Invalid, or nil.
func (f *Form) Done() error {
	for _, name := range f.order {
		known := false
		for _, a := range f.asked {
			known = known || a == name
		}
		if !known {
			f.Fail(name, CodeUnknown, "is not a part of this form"+didYouMean(name, f.asked))
			f.asked = append(f.asked, name)
		}
	}
	return f.wrong.err()
}

func (f *Form) check(name string, r *rules, as form) string {
	f.asked = append(f.asked, name)
	p, ok := f.parts[name]
	switch {
	case !ok && r.required:
		f.Fail(name, CodeRequired, "is required")
		return ""
	case !ok:
		return ""
	case p.file:
		f.Fail(name, CodeTextExpected, "must be text, not a file")
		return ""
	}
	s, t := r.check(as, string(p.data))
	if t.code != "" {
		f.Fail(name, t.code, t.message)
	}
	return s
}
