package node

import (
	"net"
	"testing"

	"google.golang.org/grpc"
)

// A node that is closed before its server has begun, as after a start that fails, did not stop by itself.
func TestACloseBeforeTheServerBeganIsNoFailure(t *testing.T) {
	n := start(t, Options{})
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	server.Stop()
	n.answer(server, l)
	if err := n.Err(); err != nil {
		t.Errorf("the node stopped: %v", err)
	}
}
