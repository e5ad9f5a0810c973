// Package walkthrough follows the documentation from an empty repository to a passing test, as a user would. The scripts in testdata
// are meant to be read: each is a list of commands, and the files that the repository has at the start.
package walkthrough
