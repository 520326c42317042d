package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// The time and size limits of every connection.
const (
	// ReadHeaderTimeout and ReadTimeout bound a client that sends slowly.
	ReadHeaderTimeout = 5 * time.Second
	ReadTimeout       = 30 * time.Second
	// WriteTimeout bounds one answer, the waits for a position (2 s) included.
	WriteTimeout = 60 * time.Second
	IdleTimeout  = 120 * time.Second
	// MaxHeaderBytes is on top of the 4 KiB that net/http adds.
	MaxHeaderBytes = 16 << 10
	// DrainTimeout is how long requests under way may take after the stop.
	DrainTimeout = 10 * time.Second
)

// NewServer is h behind the limits above. What net/http has to say goes to log.
//
// Without TLS it speaks HTTP/2, too, to who begins with it: nginx passes the rest of a body on after the answer has
// begun over HTTP/2 only.
func NewServer(h http.Handler, log *slog.Logger) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler:           h,
		Protocols:         protocols,
		ReadHeaderTimeout: ReadHeaderTimeout,
		ReadTimeout:       ReadTimeout,
		WriteTimeout:      WriteTimeout,
		IdleTimeout:       IdleTimeout,
		MaxHeaderBytes:    MaxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

type stoppingKey struct{}

// Stopping is closed when the server that took the request is asked to stop: who only waits for news answers then.
// Outside a server it is nil, which never ends.
func Stopping(ctx context.Context) <-chan struct{} {
	stopping, _ := ctx.Value(stoppingKey{}).(<-chan struct{})
	return stopping
}

// Stops says that Stopping is closed.
func Stops(ctx context.Context) bool {
	select {
	case <-Stopping(ctx):
		return true
	default:
		return false
	}
}

// Serve answers on l, with TLS if the server has a configuration of it, until ctx ends, then takes no new connection
// and lets the requests under way finish, for at most drain; those still running after that are cancelled and cut
// off, which is an error. Whoever waits for news ends by itself when Stopping says so. It closes l.
func Serve(ctx context.Context, l net.Listener, server *http.Server, drain time.Duration) error {
	// Requests live on while draining, so they must not inherit ctx.
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	// It is closed when answers end their connections: who waited for news comes back on another one.
	stopping := make(chan struct{})
	server.RegisterOnShutdown(func() { close(stopping) })
	serving := context.WithValue(base, stoppingKey{}, (<-chan struct{})(stopping))
	server.BaseContext = func(net.Listener) context.Context { return serving }
	accepting := &lastCall{Listener: l}
	served := make(chan error, 1)
	go func() {
		if server.TLSConfig != nil {
			served <- server.ServeTLS(accepting, "", "")
			return
		}
		served <- server.Serve(accepting)
	}()
	select {
	case err := <-served:
		return fmt.Errorf("serve %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	accepting.refuse()
	limit, stop := context.WithTimeout(base, drain)
	defer stop()
	err := server.Shutdown(limit)
	if err != nil {
		cancel()
		err = errors.Join(fmt.Errorf("drain %s: requests still running after %s were cut off: %w", l.Addr(), drain, err),
			server.Close())
	}
	if e := <-served; !errors.Is(e, http.ErrServerClosed) {
		err = errors.Join(err, e)
	}
	return err
}
