package embedded

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/server/v3/etcdserver"
	"go.etcd.io/etcd/server/v3/storage"
	"go.etcd.io/etcd/server/v3/storage/mvcc"
	"k8s.io/klog/v2"
)

// Alarms are what etcd raises alarms for: a database that has reached its quota, and one that is damaged. Either stops writes.
var Alarms = []string{pb.AlarmType_NOSPACE.String(), pb.AlarmType_CORRUPT.String()}

// Raised reports whether etcd has raised an alarm.
func (e *Etcd) Raised(alarm string) bool { return raised(e.etcd.Server, alarm) }

func raised(s *etcdserver.EtcdServer, alarm string) bool {
	return slices.ContainsFunc(s.Alarms(), func(m *pb.AlarmMember) bool { return m.GetAlarm().String() == alarm })
}

// reclaim defragments a database that has reached its quota, or that would give back a quarter of it. One that has reached its quota
// loses its history first: whoever watched it has to list again after a start anyway. If it is smaller than its quota then, etcd
// takes writes again. Failures are only logged: the database can still be read.
func reclaim(ctx context.Context, s *etcdserver.EtcdServer, quota int64) {
	if quota == 0 {
		quota = storage.DefaultQuotaBytes
	}
	full := raised(s, pb.AlarmType_NOSPACE.String())
	if full {
		_, err := s.Compact(ctx, &pb.CompactionRequest{Revision: s.KV().Rev(), Physical: true})
		if err != nil && !errors.Is(err, mvcc.ErrCompacted) {
			klog.Errorf("Cannot compact the database: %v", err)
		}
	}
	if full || s.Backend().Size()-s.Backend().SizeInUse() >= quota/4 {
		defragment(s)
	}
	if !full {
		return
	}
	if size := s.Backend().Size(); size >= quota {
		klog.Errorf("The database has %d bytes, and its quota is %d: no writes until objects are deleted or the quota is raised, and the server is started again", size, quota)
		return
	}
	if _, err := s.Alarm(ctx, &pb.AlarmRequest{Action: pb.AlarmRequest_DEACTIVATE, MemberID: uint64(s.MemberID()), Alarm: pb.AlarmType_NOSPACE}); err != nil {
		klog.Errorf("Cannot disarm etcd, no writes until the server is started again: %v", err)
	}
}

func defragment(s *etcdserver.EtcdServer) {
	before := s.Backend().Size()
	if err := s.Defragment(); err != nil {
		klog.Errorf("Cannot defragment the database: %v", err)
		// etcd leaves what it has written so far.
		dir := s.Cfg.SnapDir()
		files, _ := fs.Glob(os.DirFS(dir), "db.tmp.*")
		for _, file := range files {
			if err := os.Remove(filepath.Join(dir, file)); err != nil {
				klog.Error(err)
			}
		}
		return
	}
	klog.Infof("The database was defragmented, from %d bytes to %d", before, s.Backend().Size())
}
