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
	l := &lease{id: id, keys: map[string]bool{}}
	l.timer = time.AfterFunc(time.Duration(in.TTL)*time.Second, func() {
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

// What storage asks for are leases that end by themselves.
var errLease = status.Error(codes.Unimplemented, "leases end when they were said to, and are not listed")

func (s *store) LeaseTimeToLive(context.Context, *pb.LeaseTimeToLiveRequest, ...grpc.CallOption) (*pb.LeaseTimeToLiveResponse, error) {
	return nil, errLease
}

func (s *store) LeaseLeases(context.Context, *pb.LeaseLeasesRequest, ...grpc.CallOption) (*pb.LeaseLeasesResponse, error) {
	return nil, errLease
}

func (s *store) LeaseKeepAlive(context.Context, ...grpc.CallOption) (grpc.BidiStreamingClient[pb.LeaseKeepAliveRequest, pb.LeaseKeepAliveResponse], error) {
	return nil, errLease
}
