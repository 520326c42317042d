// Package vault keeps what must not be read by whoever gets hold of a database:
// certificates and their keys, passwords, tickets, numbering files, and the signed
// documents and logos that events refer to by their hash.
//
// Everything is sealed with AES-256-GCM under a data key, and the data key is wrapped
// under a master key that lives in a file outside the database. A sealed value is bound
// to its reference, so that one cannot be put in another's place unnoticed. What the
// database shows is references, hashes and lengths.
//
// Unlike the tables, a vault cannot be rebuilt from the log: back it up with the log,
// and the master key apart from both.
package vault

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

var (
	// ErrNotFound: nothing is kept under this reference or hash.
	ErrNotFound = errors.New("not in the vault")
	// ErrTampered: the sealed bytes were altered, or moved here from another reference.
	ErrTampered = errors.New("sealed value does not open: it was altered, or belongs to another reference or vault")
	// ErrWrongMasterKey: the master key file is not the one that this vault was made with.
	ErrWrongMasterKey = errors.New("the master key does not open this vault")
	// ErrInvalid: the reference, hash or size can never be right.
	ErrInvalid = errors.New("invalid argument")
)

// MaxSize is the largest secret or file (MongoDB ends at 16 MiB a document).
const MaxSize = 15 << 20

// Vault keeps secrets by reference and files by content. Errors name references and
// paths, never contents. All methods are safe for concurrent use.
type Vault interface {
	// Seal keeps a secret under a reference such as "certificate/01J..."; one that is
	// there already is replaced. The secret is durable when Seal returns.
	Seal(ctx context.Context, ref string, secret []byte) error
	// Open gives the secret back; ErrNotFound, or ErrTampered and no plaintext.
	Open(ctx context.Context, ref string) ([]byte, error)
	// Delete forgets a secret, and SQLite's files do, too; one that is not there is no error.
	Delete(ctx context.Context, ref string) error
	// StoreFile keeps content under its SHA-256, in lower-case hexadecimal, and is
	// durable when it returns. The same content again changes nothing, and repairs a
	// copy that no longer opens.
	StoreFile(ctx context.Context, content []byte) (sha256hex string, err error)
	// File gives the content of that hash, verified; ErrNotFound or ErrTampered.
	File(ctx context.Context, sha256hex string) ([]byte, error)
}

// Backend is a database that keeps sealed bytes by id. Every write is durable when it
// returns.
type Backend interface {
	// Load reads the bytes of id; ErrNotFound.
	Load(ctx context.Context, id string) ([]byte, error)
	// Save writes or replaces.
	Save(ctx context.Context, id string, sealed []byte) error
	// Insert writes if nothing is there; false when something is.
	Insert(ctx context.Context, id string, sealed []byte) (bool, error)
	// Swap replaces old by sealed; false when the bytes there are others.
	Swap(ctx context.Context, id string, old, sealed []byte) (bool, error)
	// Delete removes; what is not there is no error.
	Delete(ctx context.Context, id string) error
	// Erase takes what was deleted and replaced before out of the database's files, as far as it can.
	Erase(ctx context.Context) error
	// Next lists ids after the one given, in the order of their bytes, at most limit.
	Next(ctx context.Context, after string, limit int) ([]string, error)
	// Empty says whether nothing at all is kept.
	Empty(ctx context.Context) (bool, error)
	Close() error
}

// Sealed is the Vault over any backend.
type Sealed struct {
	db   Backend
	keys *keyring
}

var _ Vault = (*Sealed)(nil)

// New opens the vault in db with the master key in the file at path. An empty vault
// makes its data key, and its master key too if the file is not there; one that holds
// data never does, because a new key would not open it.
func New(ctx context.Context, db Backend, path string) (*Sealed, error) {
	k, err := openKeyring(ctx, db, path)
	if err != nil {
		return nil, fmt.Errorf("open vault: %w", err)
	}
	return &Sealed{db, k}, nil
}

// Close releases the database.
func (s *Sealed) Close() error { return s.db.Close() }

// Seal implements Vault.
func (s *Sealed) Seal(ctx context.Context, ref string, secret []byte) error {
	id, err := secretID(ref)
	if err == nil {
		err = s.save(ctx, id, secret)
	}
	if err != nil {
		return fmt.Errorf("seal %.80q: %w", ref, err)
	}
	return nil
}

func (s *Sealed) save(ctx context.Context, id string, plain []byte) error {
	if len(plain) > MaxSize {
		return fmt.Errorf("%d bytes, at most %d: %w", len(plain), MaxSize, ErrInvalid)
	}
	for {
		sealed, key, err := s.keys.seal(id, plain)
		if err != nil {
			return err
		}
		if err := s.db.Save(ctx, id, sealed); err != nil {
			return err
		}
		// A rotation elsewhere may have passed this id before the save, and forgets the key
		// afterwards: what is acknowledged is sealed with a key that stays.
		if retired, err := s.keys.retired(ctx, key); err != nil || !retired {
			return err
		}
	}
}

// SealFirst is Seal for a secret that processes agree on: when one is sealed under the
// reference already, that one stays. Open it to know which it is.
func (s *Sealed) SealFirst(ctx context.Context, ref string, secret []byte) error {
	id, err := secretID(ref)
	if err == nil {
		var sealed []byte
		if sealed, _, err = s.keys.seal(id, secret); err == nil {
			_, err = s.db.Insert(ctx, id, sealed)
		}
	}
	if err != nil {
		return fmt.Errorf("seal %.80q: %w", ref, err)
	}
	return nil
}

// Open implements Vault.
func (s *Sealed) Open(ctx context.Context, ref string) ([]byte, error) {
	id, err := secretID(ref)
	var plain []byte
	if err == nil {
		plain, err = s.load(ctx, id)
	}
	if err != nil {
		return nil, fmt.Errorf("open %.80q: %w", ref, err)
	}
	return plain, nil
}

func (s *Sealed) load(ctx context.Context, id string) ([]byte, error) {
	sealed, err := s.db.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.keys.open(ctx, id, sealed)
}

// Delete implements Vault.
func (s *Sealed) Delete(ctx context.Context, ref string) error {
	id, err := secretID(ref)
	if err == nil {
		err = s.db.Delete(ctx, id)
	}
	if err == nil {
		err = s.db.Erase(ctx)
	}
	if err != nil {
		return fmt.Errorf("delete %.80q: %w", ref, err)
	}
	return nil
}

// Probe reads and writes, and changes nothing: it takes what every write takes, SQLite's lock or the majority of
// MongoDB, and waits for nobody who only reads, such as a backup.
func (s *Sealed) Probe(ctx context.Context) error {
	_, err := s.db.Load(ctx, keysID)
	if err == nil {
		err = s.db.Delete(ctx, "nothing")
	}
	if err != nil {
		return fmt.Errorf("probe vault: %w", err)
	}
	return nil
}

// StoreFile implements Vault.
func (s *Sealed) StoreFile(ctx context.Context, content []byte) (string, error) {
	sum := sha256.Sum256(content)
	hash := hex.EncodeToString(sum[:])
	if _, err := s.load(ctx, "file/"+hash); err == nil {
		return hash, nil
	} else if !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrTampered) {
		return "", fmt.Errorf("store file %s: %w", hash, err)
	}
	if err := s.save(ctx, "file/"+hash, content); err != nil {
		return "", fmt.Errorf("store file %s: %w", hash, err)
	}
	return hash, nil
}

// File implements Vault.
func (s *Sealed) File(ctx context.Context, hash string) ([]byte, error) {
	if raw, err := hex.DecodeString(hash); err != nil || len(raw) != sha256.Size || strings.ToLower(hash) != hash {
		return nil, fmt.Errorf("file %.80q: want a SHA-256 in 64 lower-case hexadecimal digits: %w", hash, ErrInvalid)
	}
	content, err := s.load(ctx, "file/"+hash)
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", hash, err)
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != hash {
		return nil, fmt.Errorf("file %s: %w", hash, ErrTampered)
	}
	return content, nil
}

func secretID(ref string) (string, error) {
	if ref == "" || len(ref) > 500 || !utf8.ValidString(ref) || strings.IndexByte(ref, 0) >= 0 {
		return "", fmt.Errorf("the reference must be 1 to 500 bytes of text: %w", ErrInvalid)
	}
	return "secret/" + ref, nil
}
