// Package prunemail is called by generated code and by nothing else, where the schema has the format email. The package that
// it imports brings Go's network with it, which nothing else here needs.
package prunemail

import "net/mail"

// IsEmail is the format email.
func IsEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address != ""
}
