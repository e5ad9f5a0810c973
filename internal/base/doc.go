// Package base is the bottom room, which all others may import and which imports nothing but the runtime: what untrusted input may cost and how much is listed of
// what is wrong with it, JSON values and paths that can be compared, the tags of keywords, work on several cores, Go source as text. The runtime
// itself imports prunelimits and badvalue.
package base
