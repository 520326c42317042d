package bus_test

import (
	"context"
	"fmt"
	"os"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"

	"folio/bus"
	"folio/eventstore"
	"folio/eventstore/node"
)

// An order is published and handled. The log is an embedded one here; with a server the
// address is that of EventStoreDB, such as esdb://localhost:2113?tls=false.
func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	folder, err := os.MkdirTemp("", "log-")
	check(err)
	defer os.RemoveAll(folder)
	server, err := node.Open(ctx, node.Options{Dir: folder})
	check(err)
	defer server.Close(context.Background())
	log, err := eventstore.Open(ctx, eventstore.Options{Address: server.Address()})
	check(err)
	defer log.Close()

	publisher, err := bus.NewPublisher(bus.PublisherConfig{Log: log})
	check(err)
	orders := bus.Category("order")
	m := message.NewMessage(watermill.NewUUID(), message.Payload(`{"amount":12}`))
	m.Metadata.Set(bus.MetadataStream, "order-7")
	m.Metadata.Set(bus.MetadataType, "OrderPlaced")
	check(publisher.Publish(orders, m))

	router, err := bus.NewRouter(bus.RouterConfig{})
	check(err)
	routed := make(chan error, 1)
	go func() { routed <- router.Run(ctx) }()

	subscriber, err := bus.NewSubscriber(bus.SubscriberConfig{Log: log, Checkpoints: &memoryCheckpoints{},
		Group: "billing"})
	check(err)
	err = router.Consume(ctx, "billing", orders, subscriber, func(m *message.Message) error {
		fmt.Printf("%s at revision %s of %s: %s\n",
			m.Metadata[bus.MetadataType], m.Metadata[bus.MetadataRevision], m.Metadata[bus.MetadataStream], m.Payload)
		cancel() // this example is over
		return nil
	})
	check(err)
	check(<-routed)
	// Output: OrderPlaced at revision 0 of order-7: {"amount":12}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
