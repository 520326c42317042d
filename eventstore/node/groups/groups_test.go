package groups

import (
	"errors"
	"fmt"
	"testing"

	"folio/eventstore/node/protocol"

	"google.golang.org/grpc/codes"
)

func TestGroupsAreLimited(t *testing.T) {
	s := New(nil, nil, nil)
	for i := range maxGroups {
		s.live[groupKey{"s", fmt.Sprint(i)}] = &Group{}
	}
	err := s.Create(t.Context(), Config{Stream: "s", Group: "one more", StartFrom: "0"})
	var r *protocol.Refusal
	if !errors.As(err, &r) || r.Code != codes.ResourceExhausted {
		t.Errorf("got %v", err)
	}
}
