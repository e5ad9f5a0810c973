package prunecel

import (
	"fmt"
	"net/netip"
)

// ParseIP is ip(string): an address without a zone that is not IPv4 in IPv6.
func ParseIP(s string) (netip.Addr, error) {
	ip, err := netip.ParseAddr(s)
	switch {
	case err != nil:
		return netip.Addr{}, fmt.Errorf("IP Address %q parse error during conversion from string: %w", s, err)
	case ip.Zone() != "":
		return netip.Addr{}, fmt.Errorf("IP address %q with zone value is not allowed", s)
	case ip.Is4In6():
		return netip.Addr{}, fmt.Errorf("IPv4-mapped IPv6 address %q is not allowed", s)
	}
	return ip, nil
}

// IsIP reports whether s is an address that ParseIP takes.
func IsIP(s string) bool {
	ip, err := netip.ParseAddr(s)
	return err == nil && ip.Zone() == "" && !ip.Is4In6()
}

// IPIsCanonical is ip.isCanonical: it reports whether the address in s is written as string(net.IP) writes it.
func IPIsCanonical(s string) (bool, error) {
	ip, err := ParseIP(s)
	if err != nil {
		return false, err
	}
	return ip.String() == s, nil
}

// IPFamily is family: 4 or 6.
func IPFamily(ip netip.Addr) int64 {
	if ip.Is4() {
		return 4
	}
	return 6
}

// IPIsUnspecified is isUnspecified.
func IPIsUnspecified(ip netip.Addr) bool { return ip.IsUnspecified() }

// IPIsLoopback is isLoopback.
func IPIsLoopback(ip netip.Addr) bool { return ip.IsLoopback() }

// IPIsLinkLocalMulticast is isLinkLocalMulticast.
func IPIsLinkLocalMulticast(ip netip.Addr) bool { return ip.IsLinkLocalMulticast() }

// IPIsLinkLocalUnicast is isLinkLocalUnicast.
func IPIsLinkLocalUnicast(ip netip.Addr) bool { return ip.IsLinkLocalUnicast() }

// IPIsGlobalUnicast is isGlobalUnicast.
func IPIsGlobalUnicast(ip netip.Addr) bool { return ip.IsGlobalUnicast() }

func ipFunctions() []Function {
	return []Function{
		{Name: "ip", Overload: "string_to_ip", Signature: "ip(string) net.IP", Since: "1.30", Go: "ParseIP",
			Call: call1e(ParseIP), Cost: costTraversal, DynCost: costTraversal},
		{Name: "family", Overload: "ip_family", Signature: "net.IP.family() int", Since: "1.30", Go: "IPFamily", Call: call1(IPFamily)},
		{Name: "ip.isCanonical", Overload: "ip_is_canonical", Signature: "ip.isCanonical(string) bool", Since: "1.30", Go: "IPIsCanonical",
			Call: call1e(IPIsCanonical), Cost: costTraversalTwice, DynCost: costTraversalTwice},
		{Name: "isUnspecified", Overload: "ip_is_unspecified", Signature: "net.IP.isUnspecified() bool", Since: "1.30",
			Go: "IPIsUnspecified", Call: call1(IPIsUnspecified)},
		{Name: "isLoopback", Overload: "ip_is_loopback", Signature: "net.IP.isLoopback() bool", Since: "1.30",
			Go: "IPIsLoopback", Call: call1(IPIsLoopback)},
		{Name: "isLinkLocalMulticast", Overload: "ip_is_link_local_multicast", Signature: "net.IP.isLinkLocalMulticast() bool", Since: "1.30",
			Go: "IPIsLinkLocalMulticast", Call: call1(IPIsLinkLocalMulticast)},
		{Name: "isLinkLocalUnicast", Overload: "ip_is_link_local_unicast", Signature: "net.IP.isLinkLocalUnicast() bool", Since: "1.30",
			Go: "IPIsLinkLocalUnicast", Call: call1(IPIsLinkLocalUnicast)},
		{Name: "isGlobalUnicast", Overload: "ip_is_global_unicast", Signature: "net.IP.isGlobalUnicast() bool", Since: "1.30",
			Go: "IPIsGlobalUnicast", Call: call1(IPIsGlobalUnicast)},
		{Name: "isIP", Overload: "is_ip", Signature: "isIP(string) bool", Since: "1.30", Go: "IsIP",
			Call: call1(IsIP), Cost: costTraversal, DynCost: costTraversal},
	}
}
