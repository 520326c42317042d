package cl

import (
	"encoding/base64"
	"errors"
	"fmt"
)

// VerifyStamp reads a stamp (ISO-8859-1) and says what its FRMT is good for: nil when
// it was made with the key of the CAF inside. FRMA is another question.
func VerifyStamp(ted []byte) error {
	root, err := parseNodes(FromLatin1(ted))
	if err != nil {
		return fmt.Errorf("read the stamp: %w", err)
	}
	text := FromLatin1(ted)
	dd, err := root.one("DD")
	if err != nil {
		return fmt.Errorf("read the stamp: %w", err)
	}
	frmt, err := root.value("FRMT")
	if err != nil {
		return fmt.Errorf("read the stamp: %w", err)
	}
	key, err := stampKey(dd)
	if err != nil {
		return fmt.Errorf("read the stamp: %w", err)
	}
	signature, err := base64.StdEncoding.DecodeString(compact(frmt))
	if err != nil {
		return fmt.Errorf("read the stamp: FRMT: %w", err)
	}
	message, err := ToLatin1(between.ReplaceAllString(text[dd.from:dd.to], "><"))
	if err != nil {
		return err
	}
	if !key.Verify(message, signature) {
		return errors.New("FRMT does not verify under the key of its CAF")
	}
	return nil
}

func stampKey(dd *node) (PublicKey, error) {
	at := dd
	for _, name := range []string{"CAF", "DA", "RSAPK"} {
		next, err := at.one(name)
		if err != nil {
			return PublicKey{}, err
		}
		at = next
	}
	m, err := at.value("M")
	if err != nil {
		return PublicKey{}, err
	}
	e, err := at.value("E")
	if err != nil {
		return PublicKey{}, err
	}
	return keyOf(m, e)
}
