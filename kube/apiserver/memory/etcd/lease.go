package etcd

import (
	"context"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// lease is a time after which keys are deleted.
type lease struct {
	id    int64
	ttl   int64 // in seconds
	ends  time.Time
	timer *time.Timer
	keys  map[string]bool
}

var _ pb.LeaseClient = &store{}

func (s *store) LeaseGrant(_ context.Context, in *pb.LeaseGrantRequest, _ ...grpc.CallOption) (*pb.LeaseGrantResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := in.ID
	if id == 0 {
		s.lastLease++
		id = s.lastLease
	}
	if s.leases[id] != nil {
		return nil, rpctypes.ErrGRPCLeaseExist
	}
	after := time.Duration(in.TTL) * time.Second
	l := &lease{id: id, ttl: in.TTL, ends: time.Now().Add(after), keys: map[string]bool{}}
	l.timer = time.AfterFunc(after, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.revoke(l)
	})
	s.leases[id] = l
	return &pb.LeaseGrantResponse{Header: s.header(), ID: id, TTL: in.TTL}, nil
}

func (s *store) LeaseRevoke(_ context.Context, in *pb.LeaseRevokeRequest, _ ...grpc.CallOption) (*pb.LeaseRevokeResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.leases[in.ID]
	if l == nil {
		return nil, rpctypes.ErrGRPCLeaseNotFound
	}
	s.revoke(l)
	return &pb.LeaseRevokeResponse{Header: s.header()}, nil
}

// revoke ends a lease, and deletes its keys.
func (s *store) revoke(l *lease) {
	if s.leases[l.id] != l {
		return // it has ended
	}
	l.timer.Stop()
	delete(s.leases, l.id)
	var ops []*pb.RequestOp
	for key := range l.keys {
		ops = append(ops, &pb.RequestOp{Request: &pb.RequestOp_RequestDeleteRange{RequestDeleteRange: &pb.DeleteRangeRequest{Key: []byte(key)}}})
	}
	s.do(ops) // it cannot fail
}

// stop ends all leases, and leaves the keys.
func (s *store) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.leases {
		l.timer.Stop()
	}
}

func (s *store) attach(kv *mvccpb.KeyValue) {
	if l := s.leases[kv.Lease]; l != nil {
		l.keys[string(kv.Key)] = true
	}
}

func (s *store) detach(kv *mvccpb.KeyValue) {
	if l := s.leases[kv.Lease]; l != nil {
		delete(l.keys, string(kv.Key))
	}
}

func (s *store) LeaseTimeToLive(_ context.Context, in *pb.LeaseTimeToLiveRequest, _ ...grpc.CallOption) (*pb.LeaseTimeToLiveResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.leases[in.ID]
	if l == nil {
		return &pb.LeaseTimeToLiveResponse{Header: s.header(), ID: in.ID, TTL: -1}, nil
	}
	r := &pb.LeaseTimeToLiveResponse{Header: s.header(), ID: in.ID, TTL: int64(time.Until(l.ends).Seconds()), GrantedTTL: l.ttl}
	for key := range l.keys {
		if in.Keys {
			r.Keys = append(r.Keys, []byte(key))
		}
	}
	return r, nil
}

func (s *store) LeaseLeases(context.Context, *pb.LeaseLeasesRequest, ...grpc.CallOption) (*pb.LeaseLeasesResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &pb.LeaseLeasesResponse{Header: s.header()}
	for id := range s.leases {
		r.Leases = append(r.Leases, &pb.LeaseStatus{ID: id})
	}
	return r, nil
}

func (s *store) LeaseKeepAlive(context.Context, ...grpc.CallOption) (grpc.BidiStreamingClient[pb.LeaseKeepAliveRequest, pb.LeaseKeepAliveResponse], error) {
	return nil, status.Error(codes.Unimplemented, "leases end when they were said to")
}
