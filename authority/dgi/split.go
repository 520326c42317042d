package dgi

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"folio/authority"
)

// coverInside is what stands before the documents of an envelope of ours, cut at what is
// another's where a document goes alone: Idemisor and CantCFE.
var coverInside = regexp.MustCompile(`(?s)^(.{1,400}<Idemisor>)[0-9]{1,10}(</Idemisor><CantCFE>)[0-9]{1,3}(</CantCFE>.*?</Caratula>)`)

// Split puts each document of an envelope, byte by byte as it was signed, in one of its
// own. The envelope is not signed (SOB5), so its cover stays but for its count and its
// number (Idemisor).
func (*Driver) Split(b authority.Batch, p authority.Prepared) ([]authority.Prepared, error) {
	cover := coverInside.FindSubmatch(p.Content)
	if cover == nil {
		return nil, errors.New("what was prepared is no envelope")
	}
	documents, err := signedIn(p.Content, b)
	if err != nil {
		return nil, err
	}
	out := make([]authority.Prepared, len(documents))
	for i, content := range cfeInside.FindAll(p.Content, -1) {
		id := aloneID(documents[i].Type, documents[i].Series, documents[i].Number)
		out[i] = authority.Prepare(fmt.Appendf(nil, "%s%s%s1%s%s</EnvioCFE>", cover[1], strconv.FormatInt(id, 10), cover[2],
			cover[3], content))
	}
	return out, nil
}

// Renew puts the documents, as they were signed, in an envelope with another number. DGI
// takes a number of a document once: in a second envelope it is rejected (E02), and Find
// tells the verdict on the first.
func (*Driver) Renew(_ authority.Credential, b authority.Batch, p authority.Prepared,
	n int) (authority.Prepared, error) {
	cover := coverInside.FindSubmatchIndex(p.Content)
	if cover == nil {
		return authority.Prepared{}, errors.New("what was prepared is no envelope")
	}
	documents, err := signedIn(p.Content, b)
	if err != nil {
		return authority.Prepared{}, err
	}
	first := documents[0]
	id := strconv.FormatInt(renewedID(first.Type, first.Series, first.Number, n), 10)
	return authority.Prepare(slices.Concat(p.Content[:cover[3]], []byte(id), p.Content[cover[4]:])), nil
}
