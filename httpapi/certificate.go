package httpapi

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certificateLook is how long a certificate is used before its files are looked at again.
const certificateLook = time.Second

// certificateFiles are the certificate of the server, read again when its files change.
type certificateFiles struct {
	cert, key string
	log       *slog.Logger

	mu     sync.Mutex
	loaded *tls.Certificate
	state  [2]fileState // of the files as they were last read
	looked time.Time
}

// fileState tells one content of a file from the next.
type fileState struct {
	changed time.Time
	size    int64
}

// ServerTLS is TLS 1.2 or later with the certificate chain and the key of two PEM files.
// When the files change, connections made from a second later on get the new certificate;
// files that do not belong together, as in the middle of a change, leave the old one in
// use and are told to log.
func ServerTLS(cert, key string, log *slog.Logger) (*tls.Config, error) {
	f := &certificateFiles{cert: cert, key: key, log: log}
	if err := f.load(); err != nil {
		return nil, fmt.Errorf("certificate of the server: %w", err)
	}
	f.looked = time.Now()
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: f.get}, nil
}

func (f *certificateFiles) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := time.Now(); now.Sub(f.looked) >= certificateLook {
		f.looked = now
		if err := f.load(); err != nil {
			f.log.Warn("the new certificate of the server cannot be used, the old one stays", "error", err)
		}
	}
	return f.loaded, nil
}

// load reads the files unless they are as they were.
func (f *certificateFiles) load() error {
	var state [2]fileState
	for i, name := range []string{f.cert, f.key} {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		state[i] = fileState{info.ModTime(), info.Size()}
	}
	if f.loaded != nil && state == f.state {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(f.cert, f.key)
	if err != nil {
		return err
	}
	f.loaded, f.state = &pair, state
	return nil
}
