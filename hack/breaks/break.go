package main

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
)

const modulePath = "github.com/prune-gen/prune-gen"

// Break is a mistake that a person could make: a change to one line of one file.
type Break struct {
	Name string
	File string
	Old  string // what is there, exactly once
	New  string
	// Survives says why no test can notice the break, or none should.
	Survives string
}

// table returns all breaks.
func table() []Break {
	return slices.Concat(structuralBreaks, jsonBreaks, generatorBreaks, runtimeBreaks, scanBreaks, listBreaks, decodeBreaks, validateBreaks,
		commandBreaks, requestBreaks, typesBreaks, rulesBreaks, limitBreaks, edgeBreaks, manifestBreaks, kubeBreaks, aimedBreaks, nameBreaks,
		lintBreaks, freshBreaks, strangerBreaks, visitorBreaks)
}

// apply returns the broken source.
func (b Break) apply(source []byte) ([]byte, error) {
	if n := bytes.Count(source, []byte(b.Old)); n != 1 {
		return nil, fmt.Errorf("%s has what is to be broken %d times: bring the table up to date", b.File, n)
	}
	return bytes.Replace(source, []byte(b.Old), []byte(b.New), 1), nil
}

// module returns the directory of the module of the file.
func (b Break) module() string {
	for _, dir := range []string{"kube/prunetest", "kube"} {
		if strings.HasPrefix(b.File, dir+"/") {
			return dir
		}
	}
	return "."
}

// pkg returns the package of the file, as the go command takes it in the directory of its module.
func (b Break) pkg() string {
	return "./" + path.Dir(strings.TrimPrefix(b.File, b.module()+"/"))
}
