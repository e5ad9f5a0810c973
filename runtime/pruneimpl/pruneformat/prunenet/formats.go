// Package prunenet is called only by generated code, for schemas with the format email or mac. It imports packages that link Go's network
// code, which nothing else here needs.
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
