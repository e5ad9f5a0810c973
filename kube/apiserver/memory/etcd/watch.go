package etcd

import (
	"context"
	"slices"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"google.golang.org/grpc"
)

// batch is how many events are looked at for one answer, so that a watch that is far behind does not hold the store for long.
const batch = 1000

// watchStream is a stream with several watches. Nothing is queued for it: each watch knows how far it is, and reads on in the history
// when the client asks for more.
type watchStream struct {
	grpc.ClientStream // nobody asks it
	ctx               context.Context
	store             *store
	// The rest is guarded by the store's lock.
	watches []*watch
	last    int64               // id
	answers []*pb.WatchResponse // to be sent before events
	asked   bool                // for the progress
}

type watch struct {
	*pb.WatchCreateRequest
	id   int64
	next int64 // revision
	told time.Time
}

var _ pb.WatchClient = &store{}

func (s *store) Watch(ctx context.Context, _ ...grpc.CallOption) (grpc.BidiStreamingClient[pb.WatchRequest, pb.WatchResponse], error) {
	return &watchStream{ctx: ctx, store: s}, nil
}

func (w *watchStream) CloseSend() error { return nil }

// Send begins or ends a watch, or asks for the progress.
func (w *watchStream) Send(in *pb.WatchRequest) error {
	s := w.store
	s.mu.Lock()
	defer s.mu.Unlock()
	switch in := in.RequestUnion.(type) {
	case *pb.WatchRequest_CreateRequest:
		create := in.CreateRequest
		next := create.StartRevision
		if next <= 0 {
			next = s.revision + 1
		}
		w.watches = append(w.watches, &watch{create, w.last, next, time.Now()})
		w.answers = append(w.answers, &pb.WatchResponse{Header: s.header(), WatchId: w.last, Created: true})
		w.last++
	case *pb.WatchRequest_CancelRequest:
		if w.end(in.CancelRequest.WatchId) {
			w.answers = append(w.answers, &pb.WatchResponse{Header: s.header(), WatchId: in.CancelRequest.WatchId, Canceled: true})
		}
	case *pb.WatchRequest_ProgressRequest:
		w.asked = true
	}
	s.wake()
	return nil
}

// end ends a watch. It reports whether there was one.
func (w *watchStream) end(id int64) bool {
	before := len(w.watches)
	w.watches = slices.DeleteFunc(w.watches, func(o *watch) bool { return o.id == id })
	return len(w.watches) < before
}

// Recv waits for something to say.
func (w *watchStream) Recv() (*pb.WatchResponse, error) {
	for {
		answer, changed, wait := w.next()
		if answer != nil {
			return answer, nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-changed:
		case <-timer.C:
		case <-w.ctx.Done():
			timer.Stop()
			return nil, w.ctx.Err()
		}
		timer.Stop()
	}
}

// next returns what there is to say or, if there is nothing, what to wait for.
func (w *watchStream) next() (answer *pb.WatchResponse, changed <-chan struct{}, wait time.Duration) {
	s := w.store
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(w.answers) > 0 {
		answer, w.answers = w.answers[0], w.answers[1:]
		return answer, nil, 0
	}
	now := time.Now()
	for _, o := range w.watches {
		if o.next <= s.compacted {
			w.end(o.id)
			return &pb.WatchResponse{Header: s.header(), WatchId: o.id, CompactRevision: s.compacted, Canceled: true}, nil, 0
		}
		for o.next <= s.revision {
			if events := o.read(s); len(events) > 0 {
				o.told = now
				return &pb.WatchResponse{Header: s.header(), WatchId: o.id, Events: events}, nil, 0
			}
		}
	}
	if w.asked {
		w.asked = false
		return &pb.WatchResponse{Header: s.header(), WatchId: -1}, nil, 0 // to all
	}
	wait = s.opts.ProgressInterval
	for _, o := range w.watches {
		if !o.ProgressNotify {
			continue
		}
		left := o.told.Add(s.opts.ProgressInterval).Sub(now)
		if left <= 0 {
			o.told = now
			return &pb.WatchResponse{Header: s.header(), WatchId: o.id}, nil, 0
		}
		wait = min(wait, left)
	}
	return nil, s.changed, wait
}

// read returns the next events of a watch, and goes on behind them.
func (o *watch) read(s *store) (events []*mvccpb.Event) {
	first := s.firstEvent(o.next)
	last := min(first+batch, len(s.events))
	for last < len(s.events) && s.events[last].Kv.ModRevision == s.events[last-1].Kv.ModRevision {
		last++ // the events of a transaction come together
	}
	for _, e := range s.events[first:last] {
		if o.wants(e) {
			if !o.PrevKv {
				e = &mvccpb.Event{Type: e.Type, Kv: e.Kv}
			}
			events = append(events, e)
		}
	}
	o.next = s.revision + 1
	if last < len(s.events) {
		o.next = s.events[last].Kv.ModRevision
	}
	return events
}

// wants reports whether a watch is about an event.
func (o *watch) wants(e *mvccpb.Event) bool {
	switch {
	case e.Type == mvccpb.Event_PUT && slices.Contains(o.Filters, pb.WatchCreateRequest_NOPUT),
		e.Type == mvccpb.Event_DELETE && slices.Contains(o.Filters, pb.WatchCreateRequest_NODELETE):
		return false
	}
	return contains(o.Key, o.RangeEnd, e.Kv.Key)
}
