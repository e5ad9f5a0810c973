package pruneformat

import (
	"net/netip"
	"strconv"
	"strings"
)

// IsIPv4 is the format ipv4. Numbers may begin with zeros.
func IsIPv4(s string) bool {
	if addr, err := netip.ParseAddr(s); err == nil && addr.Is4() {
		return true
	}
	return strings.Contains(s, ".") && looseIP(s) != ""
}

// IsIPv6 is the format ipv6.
func IsIPv6(s string) bool { return strings.Contains(s, ":") && isIP(s) }

func isIP(s string) bool {
	addr, err := netip.ParseAddr(s)
	return err == nil && addr.Zone() == ""
}

// IsCIDR is the format cidr. Numbers may begin with zeros.
func IsCIDR(s string) bool {
	if _, err := netip.ParsePrefix(s); err == nil {
		return true
	}
	address, bits, found := strings.Cut(s, "/")
	ip := looseIP(address)
	if !found || ip == "" || bits == "" || strings.Trim(bits, "0123456789") != "" {
		return false
	}
	most := 128
	if !strings.Contains(ip, ":") {
		most = 32
	}
	n, err := strconv.Atoi(bits)
	return err == nil && n <= most
}

// looseIP removes the zeros that the numbers of an address begin with. It returns "" if the text is not an address.
func looseIP(s string) string {
	head, tail := "", s
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		head, tail = s[:i+1], s[i+1:]
	}
	trimmed := trimZeros(head, ":") + trimZeros(tail, ".")
	if !isIP(trimmed) {
		return ""
	}
	return trimmed
}

// trimZeros removes the zeros that numbers begin with.
func trimZeros(s, separator string) string {
	numbers := strings.Split(s, separator)
	for i, n := range numbers {
		for len(n) > 1 && n[0] == '0' {
			n = n[1:]
		}
		numbers[i] = n
	}
	return strings.Join(numbers, separator)
}
