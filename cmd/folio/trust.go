package main

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
)

// readTrust reads the files of --trust: PEM with certificates or public keys that
// numbering files may be signed with, besides those that the program knows. A file in
// which nothing can be read is an error, so that a wrong path is noticed at the start
// and not at the first upload.
func readTrust(files []string) ([][]byte, error) {
	var all [][]byte
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("--trust: %w", err)
		}
		count := 0
		for block, rest := pem.Decode(content); block != nil; block, rest = pem.Decode(rest) {
			switch block.Type {
			case "CERTIFICATE":
				_, err = x509.ParseCertificate(block.Bytes)
			case "PUBLIC KEY":
				_, err = x509.ParsePKIXPublicKey(block.Bytes)
			case "RSA PUBLIC KEY":
				_, err = x509.ParsePKCS1PublicKey(block.Bytes)
			default:
				err = fmt.Errorf("a %s does not belong there", block.Type)
			}
			if count++; err != nil {
				return nil, fmt.Errorf("--trust: block %d of %s: %w", count, name, err)
			}
		}
		if count == 0 {
			return nil, fmt.Errorf("--trust: %s holds no certificate or public key in PEM (a DER file becomes one with: "+
				"openssl x509 -inform der -in FILE)", name)
		}
		all = append(all, content)
	}
	return all, nil
}
