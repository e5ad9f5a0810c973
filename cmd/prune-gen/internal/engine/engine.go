// Package engine holds the part of prune-gen that runs in the pages of explain, as WebAssembly.
package engine

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
)

// Engine is a program for a page.
type Engine struct {
	WASM   []byte // compressed by gzip
	Loader string // the script that runs it, of the Go that built it
}

// The files of an engine in the folder built, from which a release embeds them.
const (
	wasmFile   = "engine.wasm.gz"
	loaderFile = "wasm_exec.js"
)

// New returns the engine that is part of this program, if it is a release, else one that the go command builds now.
func New() (*Engine, error) {
	if e := embedded(); e != nil {
		return e, nil
	}
	return build()
}

// newEngine returns an engine of what the go command has built.
func newEngine(code, loader []byte) (*Engine, error) {
	if bytes.Contains(bytes.ToLower(loader), []byte("</script")) {
		return nil, fmt.Errorf("the loader of Go's WebAssembly cannot be part of a page: it contains </script")
	}
	packed, err := Pack(code)
	return &Engine{packed, withoutIndentation(string(loader))}, err
}

// withoutIndentation returns a script whose lines begin with their first word, unless a text in it has several lines.
func withoutIndentation(script string) string {
	var b strings.Builder
	for line := range strings.Lines(script) {
		if strings.Count(line, "`")%2 != 0 {
			return script
		}
		b.WriteString(strings.TrimLeft(line, " \t"))
	}
	return b.String()
}

// Pack compresses data as a page reads it.
func Pack(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}
