// Package prunegen carries the source of the runtime, which lies below it. The command has it built in, so that it can
// type-check what it generates where there is no module, no network and no go command.
package prunegen

import "embed"

// Runtime holds the Go files of the folder runtime and of those in it, tests included.
//
//go:embed runtime/*.go runtime/kubeversion/*.go runtime/pruneimpl/*.go runtime/pruneimpl/pruneformat/*.go runtime/pruneimpl/pruneformat/prunenet/*.go runtime/prunejson/*.go runtime/prunecel/*.go
var Runtime embed.FS
