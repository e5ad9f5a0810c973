package etcd

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"
	"sync"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// store is what the keys have and had. The values in it never change: answers share them.
type store struct {
	opts      Options
	mu        sync.Mutex
	revision  int64    // of the last change
	compacted int64    // the first revision that can be read; the first that can be watched is the one after it
	keys      []string // sorted
	entries   map[string]*entry
	events    []*mvccpb.Event // after compacted, in the order of their revisions
	changed   chan struct{}   // closed with the next change
	leases    map[int64]*lease
	lastLease int64
}

// entry is the history of a key.
type entry struct{ versions []version }

// version is a value of a key from a revision on, nil if it was deleted.
type version struct {
	revision int64
	kv       *mvccpb.KeyValue
}

// at returns the value of a key at a revision.
func (e *entry) at(revision int64) *mvccpb.KeyValue {
	if e == nil {
		return nil
	}
	for _, v := range slices.Backward(e.versions) {
		if v.revision <= revision {
			return v.kv
		}
	}
	return nil
}

var _ pb.KVClient = &store{}

func (s *store) header() *pb.ResponseHeader { return &pb.ResponseHeader{Revision: s.revision} }

func (s *store) Range(_ context.Context, in *pb.RangeRequest, _ ...grpc.CallOption) (*pb.RangeResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.get(in, s.revision)
}

// RangeStream answers in one piece.
func (s *store) RangeStream(ctx context.Context, in *pb.RangeRequest, _ ...grpc.CallOption) (grpc.ServerStreamingClient[pb.RangeStreamResponse], error) {
	all, err := s.Range(ctx, in)
	return &rangeStream{all: all, err: err}, nil
}

type rangeStream struct {
	grpc.ClientStream // nobody asks it
	all               *pb.RangeResponse
	err               error
}

func (s *rangeStream) Recv() (*pb.RangeStreamResponse, error) {
	if s.err != nil {
		return nil, s.err
	}
	r := &pb.RangeStreamResponse{RangeResponse: s.all}
	s.all, s.err = nil, io.EOF
	return r, nil
}

func (s *store) Put(_ context.Context, in *pb.PutRequest, _ ...grpc.CallOption) (*pb.PutResponse, error) {
	r, err := s.commit([]*pb.RequestOp{{Request: &pb.RequestOp_RequestPut{RequestPut: in}}})
	if err != nil {
		return nil, err
	}
	put := r[0].GetResponsePut()
	return put, nil
}

func (s *store) DeleteRange(_ context.Context, in *pb.DeleteRangeRequest, _ ...grpc.CallOption) (*pb.DeleteRangeResponse, error) {
	r, err := s.commit([]*pb.RequestOp{{Request: &pb.RequestOp_RequestDeleteRange{RequestDeleteRange: in}}})
	if err != nil {
		return nil, err
	}
	return r[0].GetResponseDeleteRange(), nil
}

func (s *store) commit(ops []*pb.RequestOp) ([]*pb.ResponseOp, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.do(ops)
}

func (s *store) Txn(_ context.Context, in *pb.TxnRequest, _ ...grpc.CallOption) (*pb.TxnResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := cmp.Or(writesOnce(in.Success), writesOnce(in.Failure)); err != nil {
		return nil, err
	}
	holds := true
	for _, c := range in.Compare {
		ok, err := s.holds(c)
		if err != nil {
			return nil, err
		}
		holds = holds && ok
	}
	ops := in.Success
	if !holds {
		ops = in.Failure
	}
	responses, err := s.do(ops)
	if err != nil {
		return nil, err
	}
	return &pb.TxnResponse{Header: s.header(), Succeeded: holds, Responses: responses}, nil
}

func (s *store) Compact(_ context.Context, in *pb.CompactionRequest, _ ...grpc.CallOption) (*pb.CompactionResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case in.Revision <= s.compacted:
		return nil, rpctypes.ErrGRPCCompacted
	case in.Revision > s.revision:
		return nil, rpctypes.ErrGRPCFutureRev
	}
	s.compact(in.Revision)
	return &pb.CompactionResponse{Header: s.header()}, nil
}

// compact forgets what was before a revision.
func (s *store) compact(revision int64) {
	s.compacted = revision
	s.keys = slices.DeleteFunc(s.keys, func(key string) bool {
		e := s.entries[key]
		first := 0 // that is still to be seen
		for first+1 < len(e.versions) && e.versions[first+1].revision <= revision {
			first++
		}
		if e.versions[first].kv == nil && e.versions[first].revision <= revision {
			first++
		}
		e.versions = slices.Clone(e.versions[first:])
		if len(e.versions) == 0 {
			delete(s.entries, key)
		}
		return len(e.versions) == 0
	})
	s.events = slices.Clone(s.events[s.firstEvent(revision+1):])
	s.wake()
}

// firstEvent returns the index of the first event at a revision or after it.
func (s *store) firstEvent(revision int64) int {
	i, _ := slices.BinarySearchFunc(s.events, revision, func(e *mvccpb.Event, r int64) int { return cmp.Compare(e.Kv.ModRevision, r) })
	return i
}

// wake wakes those who wait for a change.
func (s *store) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// between returns the keys that a request names: one, those before the end, or all from it on.
func (s *store) between(key, end []byte) []string {
	first, found := slices.BinarySearch(s.keys, string(key))
	last := len(s.keys)
	switch {
	case len(end) == 0 && found:
		last = first + 1
	case len(end) == 0:
		last = first
	case !bytes.Equal(end, fromKey):
		last, _ = slices.BinarySearch(s.keys, string(end))
	}
	return s.keys[first:max(first, last)]
}

// get reads keys when the last change has the revision current, which may be one of a transaction that goes on.
func (s *store) get(in *pb.RangeRequest, current int64) (*pb.RangeResponse, error) {
	revision := cmp.Or(in.Revision, current)
	switch {
	case len(in.Key) == 0:
		return nil, rpctypes.ErrGRPCEmptyKey
	case revision > current:
		return nil, rpctypes.ErrGRPCFutureRev
	case revision < s.compacted:
		return nil, rpctypes.ErrGRPCCompacted
	case in.SortOrder == pb.RangeRequest_DESCEND || in.SortTarget != pb.RangeRequest_KEY, in.MinModRevision|in.MaxModRevision|in.MinCreateRevision|in.MaxCreateRevision != 0:
		return nil, status.Error(codes.Unimplemented, "only keys are sorted, and all revisions are returned")
	}
	r := &pb.RangeResponse{Header: &pb.ResponseHeader{Revision: current}}
	for _, key := range s.between(in.Key, in.RangeEnd) {
		kv := s.entries[key].at(revision)
		if kv == nil {
			continue
		}
		r.Count++
		switch {
		case in.CountOnly:
		case in.Limit > 0 && int64(len(r.Kvs)) == in.Limit:
			r.More = true
		case in.KeysOnly:
			r.Kvs = append(r.Kvs, &mvccpb.KeyValue{Key: kv.Key, CreateRevision: kv.CreateRevision, ModRevision: kv.ModRevision, Version: kv.Version, Lease: kv.Lease})
		default:
			r.Kvs = append(r.Kvs, kv)
		}
	}
	return r, nil
}

// do carries operations out, all at one revision or, if one of them cannot be, none.
func (s *store) do(ops []*pb.RequestOp) ([]*pb.ResponseOp, error) {
	if err := s.validate(ops); err != nil {
		return nil, err
	}
	before, next := s.revision, s.revision+1
	var events []*mvccpb.Event
	header := func() *pb.ResponseHeader {
		if len(events) > 0 {
			return &pb.ResponseHeader{Revision: next}
		}
		return &pb.ResponseHeader{Revision: before}
	}
	put := func(key []byte, kv *mvccpb.KeyValue) (old *mvccpb.KeyValue) {
		e := s.entries[string(key)]
		if e == nil {
			e = &entry{}
			s.entries[string(key)] = e
			i, _ := slices.BinarySearch(s.keys, string(key))
			s.keys = slices.Insert(s.keys, i, string(key))
		}
		old = e.at(next)
		event := &mvccpb.Event{Type: mvccpb.Event_PUT, Kv: kv, PrevKv: old}
		if kv == nil {
			event.Type, event.Kv = mvccpb.Event_DELETE, &mvccpb.KeyValue{Key: key, ModRevision: next}
		}
		if old != nil {
			s.detach(old)
		}
		e.versions = append(e.versions, version{next, kv})
		events = append(events, event)
		return old
	}
	var responses []*pb.ResponseOp
	for _, op := range ops {
		switch op := op.Request.(type) {
		case *pb.RequestOp_RequestRange:
			r, err := s.get(op.RequestRange, header().Revision)
			if err != nil {
				return nil, err // validate has found it before
			}
			responses = append(responses, &pb.ResponseOp{Response: &pb.ResponseOp_ResponseRange{ResponseRange: r}})
		case *pb.RequestOp_RequestPut:
			in := op.RequestPut
			kv := &mvccpb.KeyValue{Key: in.Key, Value: in.Value, CreateRevision: next, ModRevision: next, Version: 1, Lease: in.Lease}
			if old := s.entries[string(in.Key)].at(next); old != nil {
				kv.CreateRevision, kv.Version = old.CreateRevision, old.Version+1
			}
			r := &pb.PutResponse{}
			if old := put(in.Key, kv); in.PrevKv {
				r.PrevKv = old
			}
			s.attach(kv)
			r.Header = header()
			responses = append(responses, &pb.ResponseOp{Response: &pb.ResponseOp_ResponsePut{ResponsePut: r}})
		case *pb.RequestOp_RequestDeleteRange:
			in := op.RequestDeleteRange
			r := &pb.DeleteRangeResponse{}
			for _, key := range s.between(in.Key, in.RangeEnd) {
				if s.entries[key].at(next) == nil {
					continue
				}
				old := put([]byte(key), nil)
				if r.Deleted++; in.PrevKv {
					r.PrevKvs = append(r.PrevKvs, old)
				}
			}
			r.Header = header()
			responses = append(responses, &pb.ResponseOp{Response: &pb.ResponseOp_ResponseDeleteRange{ResponseDeleteRange: r}})
		}
	}
	if len(events) > 0 {
		s.revision = next
		s.events = append(s.events, events...)
		if len(s.events) > 2*s.opts.History {
			s.compact(s.events[len(s.events)-s.opts.History].Kv.ModRevision)
		}
		s.wake()
	}
	return responses, nil
}

// validate returns why operations cannot be carried out.
func (s *store) validate(ops []*pb.RequestOp) error {
	for _, op := range ops {
		switch op := op.Request.(type) {
		case *pb.RequestOp_RequestRange:
			if _, err := s.get(op.RequestRange, s.revision); err != nil {
				return err
			}
		case *pb.RequestOp_RequestPut:
			in := op.RequestPut
			switch {
			case len(in.Key) == 0:
				return rpctypes.ErrGRPCEmptyKey
			case in.Lease != 0 && s.leases[in.Lease] == nil:
				return rpctypes.ErrGRPCLeaseNotFound
			case in.IgnoreLease || in.IgnoreValue:
				return status.Error(codes.Unimplemented, "a put has a value and a lease")
			}
		case *pb.RequestOp_RequestDeleteRange:
			if len(op.RequestDeleteRange.Key) == 0 {
				return rpctypes.ErrGRPCEmptyKey
			}
		default:
			return status.Error(codes.Unimplemented, "transactions in transactions")
		}
	}
	return nil
}

// writesOnce returns an error if operations write a key twice, or delete one that they put.
func writesOnce(ops []*pb.RequestOp) error {
	written := map[string]bool{}
	for _, op := range ops {
		if put := op.GetRequestPut(); put != nil {
			if written[string(put.Key)] {
				return rpctypes.ErrGRPCDuplicateKey
			}
			written[string(put.Key)] = true
		}
	}
	for _, op := range ops {
		if in := op.GetRequestDeleteRange(); in != nil {
			for key := range written {
				if contains(in.Key, in.RangeEnd, []byte(key)) {
					return rpctypes.ErrGRPCDuplicateKey
				}
			}
		}
	}
	return nil
}

// contains reports whether a key is the one that a request names, or among those before its end.
func contains(first, end, key []byte) bool {
	if len(end) == 0 {
		return bytes.Equal(key, first)
	}
	return bytes.Compare(key, first) >= 0 && (bytes.Equal(end, fromKey) || bytes.Compare(key, end) < 0)
}

// fromKey is the end of a range without one.
var fromKey = []byte{0}

// holds reports whether a comparison holds.
func (s *store) holds(c *pb.Compare) (bool, error) {
	if len(c.RangeEnd) > 0 {
		return false, status.Error(codes.Unimplemented, "comparisons of several keys")
	}
	kv := s.entries[string(c.Key)].at(s.revision)
	if kv == nil {
		if c.Target == pb.Compare_VALUE {
			return false, nil // as no value is equal to it, or not
		}
		kv = &mvccpb.KeyValue{}
	}
	var order int
	switch c.Target {
	case pb.Compare_VERSION:
		order = cmp.Compare(kv.Version, c.GetVersion())
	case pb.Compare_CREATE:
		order = cmp.Compare(kv.CreateRevision, c.GetCreateRevision())
	case pb.Compare_MOD:
		order = cmp.Compare(kv.ModRevision, c.GetModRevision())
	case pb.Compare_VALUE:
		order = bytes.Compare(kv.Value, c.GetValue())
	case pb.Compare_LEASE:
		order = cmp.Compare(kv.Lease, c.GetLease())
	}
	switch c.Result {
	case pb.Compare_EQUAL:
		return order == 0, nil
	case pb.Compare_GREATER:
		return order > 0, nil
	case pb.Compare_LESS:
		return order < 0, nil
	}
	return order != 0, nil
}
