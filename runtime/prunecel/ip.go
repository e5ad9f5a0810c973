package prunecel

import (
	"fmt"
	"net/netip"
)

// parseIP is ip(string): an address without a zone that is not IPv4 in IPv6.
func parseIP(s string) (netip.Addr, error) {
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

// isIP reports whether s is an address that parseIP takes.
func isIP(s string) bool {
	ip, err := netip.ParseAddr(s)
	return err == nil && ip.Zone() == "" && !ip.Is4In6()
}

// ipIsCanonical is ip.isCanonical: it reports whether the address in s is written as string(net.IP) writes it.
func ipIsCanonical(s string) (bool, error) {
	ip, err := parseIP(s)
	if err != nil {
		return false, err
	}
	return ip.String() == s, nil
}

// ipFamily is family: 4 or 6.
func ipFamily(ip netip.Addr) int64 {
	if ip.Is4() {
		return 4
	}
	return 6
}

func ipFunctions() []Function {
	return []Function{
		kubernetes("string(net.IP) string", "ip_to_string", call1(netip.Addr.String)),
		kubernetes("ip(string) net.IP", "string_to_ip", call1e(parseIP), costTraversal).compiled("IP").estimated(EstimateRead),
		kubernetes("net.IP.family() int", "ip_family", call1(ipFamily)).compiled("Family"),
		kubernetes("ip.isCanonical(string) bool", "ip_is_canonical", call1e(ipIsCanonical), costTraversalTwice).estimated(EstimateReadTwice),
		kubernetes("net.IP.isUnspecified() bool", "ip_is_unspecified", call1(netip.Addr.IsUnspecified)),
		kubernetes("net.IP.isLoopback() bool", "ip_is_loopback", call1(netip.Addr.IsLoopback)),
		kubernetes("net.IP.isLinkLocalMulticast() bool", "ip_is_link_local_multicast", call1(netip.Addr.IsLinkLocalMulticast)),
		kubernetes("net.IP.isLinkLocalUnicast() bool", "ip_is_link_local_unicast", call1(netip.Addr.IsLinkLocalUnicast)),
		kubernetes("net.IP.isGlobalUnicast() bool", "ip_is_global_unicast", call1(netip.Addr.IsGlobalUnicast)),
		kubernetes("isIP(string) bool", "is_ip", call1(isIP), costTraversal).compiled("IsIP").estimated(EstimateRead),
	}
}
