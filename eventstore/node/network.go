package node

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

// Network is how a node listens on TCP beside its socket, for the tools of others. The zero value does not.
type Network struct {
	Address  string // host:port; port 0 takes a free one
	CertFile string // PEM certificate chain
	KeyFile  string // its PEM key
	Users    Users  // who may come in
}

// ErrOpenNetwork says that a node was asked to listen where others can reach it, but unprotected.
var ErrOpenNetwork = errors.New("on an address that other machines can reach the node needs both TLS and users")

// listen opens the port. Without TLS or users it refuses everything but loopback: there, whoever has an
// account on the machine can read and append.
func (o *Network) listen(ctx context.Context) (net.Listener, []grpc.ServerOption, error) {
	host, _, err := net.SplitHostPort(o.Address)
	if err != nil {
		return nil, nil, fmt.Errorf("the node's address %q is not host:port: %w", o.Address, err)
	}
	if (o.CertFile == "") != (o.KeyFile == "") {
		return nil, nil, errors.New("the node's certificate and its key belong together: give both or none")
	}
	protected := o.CertFile != "" && len(o.Users.hashes) > 0
	if !protected {
		if err := onlyLoopback(ctx, host); err != nil {
			return nil, nil, err
		}
	}
	var options []grpc.ServerOption
	if o.CertFile != "" {
		certificate, err := tls.LoadX509KeyPair(o.CertFile, o.KeyFile)
		if err != nil {
			return nil, nil, fmt.Errorf("load the node's certificate: %w", err)
		}
		options = append(options, grpc.Creds(credentials.NewTLS(&tls.Config{Certificates: []tls.Certificate{certificate},
			MinVersion: tls.VersionTLS12})))
	}
	if len(o.Users.hashes) > 0 {
		guard, err := newGuard(o.Users)
		if err != nil {
			return nil, nil, err
		}
		options = append(options, grpc.ChainUnaryInterceptor(guard.unary), grpc.ChainStreamInterceptor(guard.stream))
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Address)
	if err != nil {
		return nil, nil, fmt.Errorf("listen for clients of the event log: %w", err)
	}
	return l, options, nil
}

// onlyLoopback looks at every address that the host's name stands for.
func onlyLoopback(ctx context.Context, host string) error {
	if host == "" {
		return fmt.Errorf("%w (an empty host means every network)", ErrOpenNetwork)
	}
	found, err := net.DefaultResolver.LookupIPAddr(ctx, host)
	if err != nil {
		return fmt.Errorf("find the node's address: %w", err)
	}
	for _, a := range found {
		if !a.IP.IsLoopback() {
			return fmt.Errorf("%w: %s is not loopback", ErrOpenNetwork, a.IP)
		}
	}
	return nil
}
