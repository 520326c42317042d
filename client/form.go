package client

import (
	"bytes"
	"errors"
	"mime/multipart"
)

// Form is a body of fields and files.
type Form struct {
	Fields map[string]string
	Files  []File
}

// File is one of a Form.
type File struct {
	Field   string
	Name    string // as its sender calls it
	Content []byte
}

// Encode is the form as it goes over the wire, and its content type.
func (f Form) Encode() (content []byte, contentType string, err error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	var errs []error
	for name, value := range f.Fields {
		errs = append(errs, w.WriteField(name, value))
	}
	for _, file := range f.Files {
		part, err := w.CreateFormFile(file.Field, file.Name)
		if err == nil {
			_, err = part.Write(file.Content)
		}
		errs = append(errs, err)
	}
	err = errors.Join(append(errs, w.Close())...)
	return b.Bytes(), w.FormDataContentType(), err
}
