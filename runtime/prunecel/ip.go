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
	row := kubernetes
	return []Function{
		row("string(net.IP) string", "ip_to_string", "", call1(netip.Addr.String)),
		row("ip(string) net.IP", "string_to_ip", "ParseIP", call1e(ParseIP), costTraversal).estimated(EstimateRead),
		row("net.IP.family() int", "ip_family", "IPFamily", call1(IPFamily)),
		row("ip.isCanonical(string) bool", "ip_is_canonical", "IPIsCanonical", call1e(IPIsCanonical), costTraversalTwice).estimated(EstimateReadTwice),
		row("net.IP.isUnspecified() bool", "ip_is_unspecified", "IPIsUnspecified", call1(IPIsUnspecified)),
		row("net.IP.isLoopback() bool", "ip_is_loopback", "IPIsLoopback", call1(IPIsLoopback)),
		row("net.IP.isLinkLocalMulticast() bool", "ip_is_link_local_multicast", "IPIsLinkLocalMulticast", call1(IPIsLinkLocalMulticast)),
		row("net.IP.isLinkLocalUnicast() bool", "ip_is_link_local_unicast", "IPIsLinkLocalUnicast", call1(IPIsLinkLocalUnicast)),
		row("net.IP.isGlobalUnicast() bool", "ip_is_global_unicast", "IPIsGlobalUnicast", call1(IPIsGlobalUnicast)),
		row("isIP(string) bool", "is_ip", "IsIP", call1(IsIP), costTraversal).estimated(EstimateRead),
	}
}
