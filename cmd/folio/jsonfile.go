package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// readJSON reads the JSON of an operator's file. A name that is not known, one that is there twice and whatever
// follows the end are refused: what is passed over in silence does not do what its writer expects.
func readJSON(text []byte, into any, options ...json.Options) error {
	err := json.Unmarshal(text, into, append(options, json.RejectUnknownMembers(true))...)
	var semantic *json.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntactic):
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return fmt.Errorf("%s is there twice", placeOf(syntactic.JSONPointer))
		}
		return fmt.Errorf("%w, after byte %d", syntactic.Err, syntactic.ByteOffset)
	case !errors.As(err, &semantic):
		return err
	case errors.Is(err, json.ErrUnknownName):
		return fmt.Errorf("%s is not known", placeOf(semantic.JSONPointer))
	case semantic.Err != nil:
		return fmt.Errorf("%s: %w", placeOf(semantic.JSONPointer), semantic.Err)
	}
	return fmt.Errorf("%s: a JSON %s does not belong there", placeOf(semantic.JSONPointer), semantic.JSONKind)
}

// placeOf names a place in a JSON text: "arca.Production".
func placeOf(at jsontext.Pointer) string {
	if at == "" {
		return "the whole"
	}
	var names []string
	for name := range at.Tokens() {
		names = append(names, name)
	}
	return strings.Join(names, ".")
}
