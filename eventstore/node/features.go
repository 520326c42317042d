package node

import (
	"context"
	"net"
	"strconv"

	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/protos/gossip"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/serverfeatures"
	"github.com/EventStore/EventStore-Client-Go/v4/protos/shared"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// serverVersion is the protocol version that the node follows. Clients parse three numbers.
const serverVersion = "24.10.0"

const persistentName = "event_store.client.persistent_subscriptions.persistentsubscriptions"

var bothSources = []string{"stream", "all"}

var supported = &serverfeatures.SupportedMethods{
	EventStoreServerVersion: serverVersion,
	Methods: []*serverfeatures.SupportedMethod{
		{ServiceName: "event_store.client.streams.streams", MethodName: "read", Features: []string{"position", "events"}},
		{ServiceName: "event_store.client.streams.streams", MethodName: "append"},
		{ServiceName: "event_store.client.streams.streams", MethodName: "batchappend",
			Features: []string{"deadline_duration"}},
		{ServiceName: "event_store.client.streams.streams", MethodName: "delete"},
		{ServiceName: "event_store.client.streams.streams", MethodName: "tombstone"},
		{ServiceName: persistentName, MethodName: "create", Features: bothSources},
		{ServiceName: persistentName, MethodName: "update", Features: bothSources},
		{ServiceName: persistentName, MethodName: "delete", Features: bothSources},
		{ServiceName: persistentName, MethodName: "read", Features: bothSources},
		{ServiceName: persistentName, MethodName: "getinfo", Features: bothSources},
		{ServiceName: persistentName, MethodName: "replayparked", Features: bothSources},
		{ServiceName: persistentName, MethodName: "list", Features: bothSources},
		{ServiceName: persistentName, MethodName: "restartsubsystem"},
		{ServiceName: "event_store.client.gossip.gossip", MethodName: "read"},
		{ServiceName: "event_store.client.server_features.serverfeatures", MethodName: "getsupportedmethods"},
	},
}

type featuresService struct {
	serverfeatures.UnimplementedServerFeaturesServer
}

// GetSupportedMethods lists what the node implements; clients choose their calls by it.
func (featuresService) GetSupportedMethods(context.Context, *shared.Empty) (*serverfeatures.SupportedMethods, error) {
	return proto.Clone(supported).(*serverfeatures.SupportedMethods), nil
}

type gossipService struct {
	gossip.UnimplementedGossipServer
	node *Node
	at   net.Addr
}

// Read answers with the one member there is: this node, the leader.
func (g gossipService) Read(ctx context.Context, _ *shared.Empty) (*gossip.ClusterInfo, error) {
	return &gossip.ClusterInfo{Members: []*gossip.MemberInfo{{
		InstanceId:   &shared.UUID{Value: &shared.UUID_String_{String_: g.node.instance.String()}},
		TimeStamp:    storage.Ticks(g.node.store.Now()),
		State:        gossip.MemberInfo_Leader,
		IsAlive:      true,
		HttpEndPoint: g.endpoint(ctx),
	}}}, nil
}

// endpoint is where the caller reaches the node: by the name it called, since a node that listens on every
// network knows none of its own. Clients redial when the answer differs from what they called.
func (g gossipService) endpoint(ctx context.Context) *gossip.EndPoint {
	if _, ok := g.at.(*net.TCPAddr); !ok {
		return &gossip.EndPoint{Address: g.node.Address()}
	}
	called := g.at.String()
	if md, ok := metadata.FromIncomingContext(ctx); ok {
		if names := md.Get(":authority"); len(names) == 1 {
			called = names[0]
		}
	}
	host, port, err := net.SplitHostPort(called)
	if err != nil {
		host, port, _ = net.SplitHostPort(g.at.String())
	}
	number, _ := strconv.ParseUint(port, 10, 16)
	return &gossip.EndPoint{Address: host, Port: uint32(number)}
}
