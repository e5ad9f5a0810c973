// Package conformance reads what API servers have answered to requests, asks programs that answer for a server, and compares.
//
// A directory of the suite has a subject. Each of its files NAME.yaml has a CRD and cases, which are requests, and NAME.answers.yaml what
// servers answered. docs/conformance.md describes both, and how programs are asked.
package conformance
