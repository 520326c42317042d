package httpapi

import (
	"context"
	"fmt"
	"net"
)

// Listen listens on host:port; port 0 takes a free one. The address that comes back
// is the one to print and call, http://HOST:PORT, with a loopback host when it
// listens on every address.
func Listen(ctx context.Context, hostPort string) (net.Listener, string, error) {
	var config net.ListenConfig
	config.SetMultipathTCP(false) // its sockets cannot be shut before they are closed
	l, err := config.Listen(ctx, "tcp", hostPort)
	if err != nil {
		return nil, "", fmt.Errorf("listen on %s: %w", hostPort, err)
	}
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, "", fmt.Errorf("read own address: %w", err)
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return l, "http://" + net.JoinHostPort(host, port), nil
}
