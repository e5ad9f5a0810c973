// Package prunenet is called by generated code and by nothing else, where the schema has the format email or mac. The packages
// that it imports bring Go's network with them, which nothing else here needs.
package prunenet

import (
	"net"
	"net/mail"
)

// IsEmail is the format email.
func IsEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address != ""
}

// IsMAC is the format mac.
func IsMAC(s string) bool {
	_, err := net.ParseMAC(s)
	return err == nil
}
