// Package bus is a Watermill Pub/Sub over EventStoreDB and KurrentDB, and over every log with
// the same methods. It knows nothing of invoices; of this module it needs the client of the
// log (eventstore) and the form of its entries (events).
//
// # Subscribing
//
// A Subscriber follows the log from the checkpoint of its group and delivers each event once
// it happens: in the order of the log, one message in flight, the same message again after a
// Nack. It skips nothing. A checkpoint is saved when what was at hand is acked, so that after a
// crash the last batch is heard again: a handler must take a message twice. Where checkpoints
// are kept is for the user to say (Checkpoints); kept in the database of what handlers write,
// and in one transaction with it, they make it exactly once.
//
// A topic is a category of streams (Category), a set of types (Types) or All. A message has the
// event's bytes in its payload, its id as UUID, and type, stream, revision, position, schema,
// correlation and causation in its metadata, under the names of this package's constants.
// Record puts an entry of the log together again; another form is a Marshaler of one's own.
//
// # Publishing
//
// A Publisher appends messages to streams: MetadataStream names the stream, MetadataType the
// type. A message that says in MetadataExpected which revision it follows on is refused when the
// stream went on, and written once when it is published twice. One without goes to the end of
// its stream, and a message without a stream gets one of its own.
//
// # Routing
//
// A Router is one Watermill router for all consumers of a process, which come and go while it
// runs, with recovery of panics, correlation and Watermill's own metrics for Prometheus.
//
// A process with many consumers reads the log once for all of them when their Log is one
// *fanout.Reader.
package bus
