package main

import (
	"net"
	"sync"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
)

// Every cluster has other addresses, so a Service can have any. The cluster has both families, IPv4 first.
var anyAddress = map[api.IPFamily]ipallocator.Interface{
	api.IPv4Protocol: address{family: api.IPv4Protocol, next: net.IPv4(10, 0, 0, 1)},
	api.IPv6Protocol: address{family: api.IPv6Protocol, next: net.ParseIP("fd00::1")},
}

// address is an allocator of addresses, in a cluster where all of them are free.
type address struct {
	ipallocator.Interface
	family api.IPFamily
	next   net.IP
}

func (address) Allocate(net.IP) error           { return nil }
func (a address) AllocateNext() (net.IP, error) { return a.next, nil }
func (address) Release(net.IP) error            { return nil }
func (a address) IPFamily() api.IPFamily        { return a.family }
func (a address) DryRun() ipallocator.Interface { return a }

// nodePorts has the ports that the API server allocates unless it is told otherwise.
var nodePorts = func() *portallocator.PortAllocator {
	all, err := portallocator.NewInMemory(utilnet.PortRange{Base: 30000, Size: 2768})
	if err != nil {
		panic(err) // the range is valid
	}
	return all
}()

// services is held by a request for Services: no other one may see the ports that it allocates.
var services sync.Mutex

// alone begins a request for Services in a cluster that has none, and returns what ends it.
func alone() (end func()) {
	services.Lock()
	return func() {
		var used []int
		nodePorts.ForEach(func(port int) { used = append(used, port) })
		for _, port := range used {
			nodePorts.Release(port)
		}
		services.Unlock()
	}
}
