package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/components/metrics"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"
	"github.com/prometheus/client_golang/prometheus"
)

// RouterConfig is what a Router is made of; its zero value is good.
type RouterConfig struct {
	Logger *slog.Logger // nil: silence
	// Metrics gets Watermill's own metrics of handlers and subscribers; nil: nobody does.
	Metrics prometheus.Registerer
	// Namespace begins the names of the metrics.
	Namespace string
	// Handled is told of each message that a handler took, with its error; nil: nobody is told.
	Handled func(Handled)
}

// Handled is a message that a handler took.
type Handled struct {
	Handler  string
	Metadata message.Metadata // see Marshaler
	Began    time.Time
	Took     time.Duration
	Err      error
}

// observe tells of each message once its handler is done.
func observe(tell func(Handled)) message.HandlerMiddleware {
	return func(next message.HandlerFunc) message.HandlerFunc {
		return func(m *message.Message) ([]*message.Message, error) {
			began := time.Now()
			out, err := next(m)
			tell(Handled{Handler: message.HandlerNameFromCtx(m.Context()), Metadata: m.Metadata, Began: began,
				Took: time.Since(began), Err: err})
			return out, err
		}
	}
}

// Router is one Watermill router for all consumers of a process. They come and go while it
// runs: it goes on without any.
//
// It has no poison queue on purpose. A message that fails is delivered until it succeeds;
// what is to be given up is for the handler to decide, which knows what that means.
type Router struct {
	router *message.Router
	logger watermill.LoggerAdapter

	mu    sync.Mutex // a handler is added and started in one step
	names map[string]bool
}

// closeTimeout is how long the end of the router waits for handlers.
const closeTimeout = 5 * time.Second

// NewRouter makes a router.
func NewRouter(c RouterConfig) (*Router, error) {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	r := &Router{logger: Logger(c.Logger), names: map[string]bool{}}
	var err error
	if r.router, err = message.NewRouter(message.RouterConfig{CloseTimeout: closeTimeout}, r.logger); err != nil {
		return nil, fmt.Errorf("make the router: %w", err)
	}
	// First is outermost: a panic must be an error before anybody counts it.
	r.router.AddMiddleware(middleware.CorrelationID)
	if c.Metrics != nil {
		metrics.NewPrometheusMetricsBuilder(c.Metrics, c.Namespace, "").AddPrometheusRouterMetrics(r.router)
	}
	if c.Handled != nil {
		r.router.AddMiddleware(observe(c.Handled))
	}
	r.router.AddMiddleware(middleware.Recoverer)
	r.router.AddConsumerHandler("idle", "", idle{}, func(*message.Message) error { return nil })
	return r, nil
}

// Logger lets Watermill speak through log. What it calls an error is tried again, so it is a
// warning; what it calls information is of its own life, and is for debugging.
func Logger(log *slog.Logger) watermill.LoggerAdapter {
	return watermill.NewSlogLoggerWithLevelMapping(log,
		map[slog.Level]slog.Level{slog.LevelError: slog.LevelWarn, slog.LevelInfo: slog.LevelDebug})
}

// idle subscribes to nothing: a router closes itself when its last handler stops.
type idle struct{}

// Subscribe implements message.Subscriber.
func (idle) Subscribe(ctx context.Context, _ string) (<-chan *message.Message, error) {
	none := make(chan *message.Message)
	context.AfterFunc(ctx, func() { close(none) }) // the router's end does not always close a subscriber
	return none, nil
}

// Close implements message.Subscriber.
func (idle) Close() error { return nil }

// Run routes messages until ctx ends, closes what consumes them and waits for the handlers.
func (r *Router) Run(ctx context.Context) error {
	closed := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() { closed <- r.router.Close() })
	err := r.router.Run(context.WithoutCancel(ctx))
	if !stop() {
		err = errors.Join(err, <-closed)
	}
	if err != nil {
		return fmt.Errorf("run the router: %w", err)
	}
	return nil
}

// Consume hands the messages of a topic to handle until ctx or the router ends, and returns
// when the last one was answered, or the subscriber's Grace is over. It closes the
// subscriber. Run must be called, before or meanwhile. The name is that of the handler in
// logs and metrics, and taken while it runs.
func (r *Router) Consume(ctx context.Context, name, topic string, s message.Subscriber,
	handle message.NoPublishHandlerFunc) error {
	select {
	case <-r.router.Running():
	case <-ctx.Done():
		return errors.Join(ctx.Err(), s.Close())
	}
	// A router whose handler cannot subscribe tries that one again with the next handler.
	messages, err := s.Subscribe(ctx, topic)
	if err != nil {
		return errors.Join(fmt.Errorf("subscribe %s: %w", name, err), s.Close())
	}
	h, err := r.add(ctx, name, topic, subscribed{s, messages}, handle)
	if err == nil {
		<-h.Stopped()
		r.mu.Lock()
		delete(r.names, name)
		r.mu.Unlock()
	}
	return errors.Join(err, s.Close())
}

func (r *Router) add(ctx context.Context, name, topic string, s message.Subscriber,
	handle message.NoPublishHandlerFunc) (*message.Handler, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.names[name] {
		return nil, fmt.Errorf("a handler %s runs already", name)
	}
	if r.router.IsClosed() {
		return nil, errClosed
	}
	h := r.router.AddConsumerHandler(name, topic, s, handle)
	if err := r.router.RunHandlers(ctx); err != nil {
		return nil, fmt.Errorf("run handler %s: %w", name, err)
	}
	r.names[name] = true
	return h, nil
}

// Routed runs a router for as long as f needs one.
func Routed(ctx context.Context, c RouterConfig, f func(*Router) error) error {
	r, err := NewRouter(c)
	if err != nil {
		return err
	}
	within, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- r.Run(within) }()
	err = f(r)
	stop()
	return errors.Join(err, <-ended)
}

// subscribed is a subscriber with a subscription.
type subscribed struct {
	message.Subscriber
	messages <-chan *message.Message
}

// String is the subscriber's name in metrics.
func (s subscribed) String() string { return strings.TrimPrefix(fmt.Sprintf("%T", s.Subscriber), "*") }

// Subscribe implements message.Subscriber.
func (s subscribed) Subscribe(context.Context, string) (<-chan *message.Message, error) {
	return s.messages, nil
}
