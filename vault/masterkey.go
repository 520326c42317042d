package vault

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"folio/secretfile"

	"github.com/tink-crypto/tink-go/v2/aead/subtle"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// MasterKey wraps data keys. It shows nothing of itself when it is printed.
type MasterKey struct{ aead tink.AEAD }

// String hides the key.
func (MasterKey) String() string { return "master key" }

// GoString hides the key.
func (MasterKey) GoString() string { return "vault.MasterKey{}" }

// header tells what the file is, to people and to programs that look for lost keys.
const header = "folio-master-key-v1 "

// size is that of an AES-256 key.
const size = 32

// LoadMasterKey reads the master key from a file that only its owner can read. A file
// with looser modes is refused, because others may have read the key; one that is not
// there is an error that is fs.ErrNotExist.
func LoadMasterKey(path string) (MasterKey, error) {
	key, err := readMasterKey(path)
	if err != nil {
		return MasterKey{}, fmt.Errorf("master key: %w", err)
	}
	return key, nil
}

func readMasterKey(path string) (MasterKey, error) {
	f, err := os.Open(path)
	if err != nil {
		return MasterKey{}, err
	}
	defer f.Close() // only read
	info, err := f.Stat()
	if err != nil {
		return MasterKey{}, err
	}
	if !info.Mode().IsRegular() {
		return MasterKey{}, fmt.Errorf("%s is not a file", path)
	}
	if secretfile.Exposed(info) {
		return MasterKey{}, fmt.Errorf("%s has mode %04o, others can reach it: run chmod 600 %s, and if they may have "+
			"read it, change the key", path, info.Mode().Perm(), path)
	}
	text, err := io.ReadAll(io.LimitReader(f, 1024))
	if err != nil {
		return MasterKey{}, err
	}
	key, err := parseMasterKey(text)
	if err != nil {
		return MasterKey{}, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

// parseMasterKey reads the text of a master key file.
func parseMasterKey(text []byte) (MasterKey, error) {
	encoded, ok := strings.CutPrefix(strings.TrimSpace(string(text)), header)
	raw, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if !ok || err != nil || len(raw) != size { // the decoder's error could quote the key
		return MasterKey{}, errors.New("not a master key of Folio, or cut short: restore it from its backup")
	}
	aead, err := subtle.NewAESGCM(raw)
	if err != nil {
		return MasterKey{}, err
	}
	return MasterKey{aead}, nil
}

// CreateMasterKey makes a new master key at path, whole or not at all; when a key is
// there already it is left as it is and loaded.
func CreateMasterKey(path string) (MasterKey, error) {
	raw := make([]byte, size)
	if _, err := rand.Read(raw); err != nil {
		return MasterKey{}, fmt.Errorf("master key: %w", err)
	}
	text := header + base64.StdEncoding.EncodeToString(raw) + "\n"
	if err := publish(path, []byte(text)); err != nil && !errors.Is(err, fs.ErrExist) {
		return MasterKey{}, fmt.Errorf("make master key: %w", err)
	}
	return LoadMasterKey(path)
}

// publish makes a file appear at path with all of its content, synced, or fails with
// fs.ErrExist; a crash leaves at most a stray temporary file of mode 0600.
func publish(path string, content []byte) (err error) {
	folder := filepath.Dir(path)
	f, err := os.CreateTemp(folder, ".master-key-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close(), secretfile.Belong(f.Name())); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil {
		return err
	}
	return syncFolder(folder)
}

// syncFolder makes the names in a folder durable.
func syncFolder(folder string) error {
	dir, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// masterKeyID tells the key at path from others: the start of its SHA-256, from which
// nobody finds 256 random bits.
func masterKeyID(path string) (string, error) {
	if _, err := LoadMasterKey(path); err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(bytes.TrimSpace(text))
	return hex.EncodeToString(sum[:4]), nil
}
