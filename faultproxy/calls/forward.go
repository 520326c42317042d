package calls

import (
	"context"
	"errors"
	"io"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// both is a stream in either direction: it fits every kind of call.
var both = &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}

// frame is one message, not understood.
type frame struct{ bytes []byte }

// codec passes messages on as they are.
type codec struct{}

// Marshal implements encoding.CodecV2.
func (codec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.(*frame).bytes)}, nil
}

// Unmarshal implements encoding.CodecV2.
func (codec) Unmarshal(data mem.BufferSlice, v any) error {
	v.(*frame).bytes = data.Materialize()
	return nil
}

// Name implements encoding.CodecV2.
func (codec) Name() string { return "proto" }

// handle serves one call.
func (p *Proxy) handle(_ any, in grpc.ServerStream) error {
	method, _ := grpc.MethodFromServerStream(in)
	ctx, leave := p.enter(in.Context())
	defer leave()
	given, _ := metadata.FromIncomingContext(ctx)
	md := own(given)
	a, scripted := p.scripted(method)
	if !scripted {
		return p.forward(ctx, method, md, in, true)
	}
	switch a.delivery {
	case Before:
		if err := p.forward(ctx, method, md, in, false); err != nil {
			return err
		}
	case Later:
		c := call{method: method, metadata: md}
		for {
			f := &frame{}
			if err := in.RecvMsg(f); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
			c.frames = append(c.frames, f)
		}
		p.hold(c)
	case Never:
	}
	in.SetTrailer(a.trailer)
	return a.status.Err()
}

// own are the headers that belong to the call and not to its connection.
func own(given metadata.MD) metadata.MD {
	out := metadata.MD{}
	for k, v := range given {
		if !strings.HasPrefix(k, ":") && !strings.HasPrefix(k, "grpc-") && k != "content-type" && k != "user-agent" {
			out[k] = v
		}
	}
	return out
}

// forward passes the call to the server; with answer the client gets what it says.
func (p *Proxy) forward(ctx context.Context, method string, md metadata.MD, in grpc.ServerStream, answer bool) error {
	within, cancel := context.WithCancel(metadata.NewOutgoingContext(ctx, md))
	defer cancel()
	out, err := p.upstream.NewStream(within, both, method)
	if err != nil {
		return err
	}
	go p.upload(method, in, out, cancel)
	for {
		f := &frame{}
		err := out.RecvMsg(f)
		if !answer {
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			continue
		}
		if header, e := out.Header(); e == nil {
			_ = in.SetHeader(own(header)) // refused once the answer has begun
		}
		if err == nil {
			if err = in.SendMsg(f); err == nil {
				continue
			}
			return err
		}
		in.SetTrailer(out.Trailer())
		return ending(ctx, err)
	}
}

// ending is the status of a call whose stream ended with err.
func ending(ctx context.Context, err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil && status.Code(cause) != codes.Unknown {
		return cause // of Drop
	}
	return err
}

// upload passes on what the client sends.
func (p *Proxy) upload(method string, in grpc.ServerStream, out grpc.ClientStream, cancel context.CancelFunc) {
	for {
		f := &frame{}
		err := in.RecvMsg(f)
		if errors.Is(err, io.EOF) {
			_ = out.CloseSend() // always nil
			return
		}
		if err != nil {
			cancel()
			return
		}
		if act := p.reached(method, f); act != nil {
			act()
			cancel()
			return
		}
		if out.SendMsg(f) != nil {
			return // its reason comes with RecvMsg
		}
	}
}
