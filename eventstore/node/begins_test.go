package node

import (
	"fmt"
	"testing"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

// A stream may begin at any moment of a subscription's start: its first event always comes before "caught up".
func TestNobodyIsCaughtUpBeforeTheFirstEvent(t *testing.T) {
	c := open(t)
	for i := range 100 {
		stream := fmt.Sprint("begins-", i)
		begun := make(chan struct{})
		go func() {
			defer close(begun)
			_, err := c.AppendToStream(t.Context(), stream, esdb.AppendToStreamOptions{}, event("E", stream))
			if err != nil {
				t.Error(err)
			}
		}()
		var all []heard
		for range 8 {
			s, err := c.SubscribeToStream(t.Context(), stream, esdb.SubscribeToStreamOptions{From: esdb.Start{}})
			all = append(all, hear(t, s, err))
		}
		<-begun
		for _, h := range all {
			h.expect(stream+"@0", "caught up")
			_ = h.Close()
		}
	}
}
