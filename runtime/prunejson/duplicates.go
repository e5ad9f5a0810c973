package prunejson

import (
	"strconv"

	"github.com/prune-gen/prune-gen/internal/base/prunelimits"
	prunert "github.com/prune-gen/prune-gen/runtime"
)

// duplicates finds keys that an object has twice. A walk through the document calls its methods.
//
// Hostile documents try to make this expensive: with many keys in one object, with many duplicates of one key, or with many below a long
// one. The work for a key depends only on its own length, not on that of its path, unless the path is listed.
type duplicates struct {
	paths  []string
	limits prunelimits.Limits
	bytes  int             // of paths
	listed map[uint64]bool // the hashes of paths

	path   []byte     // of the value that the walk is at
	open   []pathStep // the steps of path
	hashed int        // how many of them have their hash
	keys   []string   // of all objects that the walk is in, those of the innermost last
}

// pathStep is a step from a container into a value.
type pathStep struct {
	begin int                 // where in the path it is
	hash  uint64              // of the path up to its end
	keys  int                 // where the keys of the object begin
	many  map[string]struct{} // instead, if there are too many to compare one by one
}

// fewKeys is the maximum number of keys that are compared one by one.
const fewKeys = 16

// full reports whether no path can be listed any more.
func (d *duplicates) full() bool {
	return len(d.paths) >= prunert.MaxDuplicates || d.limits.Bytes > 0 && d.bytes > d.limits.Bytes
}

// enter says that a container begins.
func (d *duplicates) enter() {
	d.open = append(d.open, pathStep{begin: len(d.path), keys: len(d.keys)})
}

// leave says that the innermost container ends.
func (d *duplicates) leave() {
	last := len(d.open) - 1
	d.path = d.path[:d.open[last].begin]
	d.keys = d.keys[:d.open[last].keys]
	d.open = d.open[:last]
	d.hashed = min(d.hashed, last)
}

// element says that element i of a list begins.
func (d *duplicates) element(i int) {
	if d.full() {
		return
	}
	d.step()
	d.path = append(d.path, '[')
	d.path = strconv.AppendInt(d.path, int64(i), 10)
	d.path = append(d.path, ']')
}

// member says that a member of an object begins.
func (d *duplicates) member(key string) {
	if d.full() {
		return
	}
	if d.step(); len(d.open) > 1 {
		d.path = append(d.path, '.')
	}
	d.path = append(d.path, key...)
	if d.has(key) {
		d.list()
	}
}

// step goes back to where the last step of the path begins.
func (d *duplicates) step() {
	last := len(d.open) - 1
	d.path = d.path[:d.open[last].begin]
	d.hashed = min(d.hashed, last)
}

// has reports whether the innermost object has the key already, and adds it.
func (d *duplicates) has(key string) bool {
	in := &d.open[len(d.open)-1]
	if in.many != nil {
		before := len(in.many)
		in.many[key] = struct{}{}
		return len(in.many) == before
	}
	keys := d.keys[in.keys:]
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	if len(keys) < fewKeys {
		d.keys = append(d.keys, key)
		return false
	}
	in.many = map[string]struct{}{key: {}}
	for _, k := range keys {
		in.many[k] = struct{}{}
	}
	return false
}

// list lists the path, unless it is listed already.
func (d *duplicates) list() {
	hash := d.hash()
	if d.listed[hash] {
		return
	}
	if d.listed == nil {
		d.listed = map[uint64]bool{}
	}
	d.listed[hash] = true
	d.bytes += len(d.path)
	d.paths = append(d.paths, string(d.path))
}

// hash returns the hash of the path: FNV-1a, which goes from one step to the next.
func (d *duplicates) hash() uint64 {
	const (
		offset = 14695981039346656037
		prime  = 1099511628211
	)
	hash := uint64(offset)
	if d.hashed > 0 {
		hash = d.open[d.hashed-1].hash
	}
	for ; d.hashed < len(d.open); d.hashed++ {
		end := len(d.path)
		if d.hashed+1 < len(d.open) {
			end = d.open[d.hashed+1].begin
		}
		for _, c := range d.path[d.open[d.hashed].begin:end] {
			hash = (hash ^ uint64(c)) * prime
		}
		d.open[d.hashed].hash = hash
	}
	return hash
}
