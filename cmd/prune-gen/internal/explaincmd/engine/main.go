//go:build js && wasm

// Engine is the part of prune-gen that runs in the pages of explain: it answers as the API server would, while the reader types.
//
// It sets the global function pruneGenMarks(crd, manifest), which takes two texts, the first as JSON or YAML, and returns
// manifest.Page as JSON, or {"error": "..."}.
package main

import (
	"encoding/json"
	"fmt"
	"syscall/js"

	"github.com/prune-gen/prune-gen/internal/manifest"
	"github.com/prune-gen/prune-gen/structural/dynamic"
)

func main() {
	var e engine
	js.Global().Set("pruneGenMarks", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return e.answer(args[0].String(), args[1].String())
	}))
	select {}
}

// engine has what was compiled last.
type engine struct {
	crd    string
	server *manifest.Server
}

// answer returns what becomes of a manifest, as JSON.
func (e *engine) answer(crd, text string) (result string) {
	defer func() {
		if r := recover(); r != nil {
			result = failed(fmt.Sprint(r))
		}
	}()
	if e.server == nil || e.crd != crd {
		c, err := dynamic.LoadCRD([]byte(crd))
		if err != nil {
			return failed(err.Error())
		}
		e.crd, e.server = crd, manifest.FromCRDs(nil, dynamic.Compile, c)
	}
	page := e.server.Page([]byte(text))
	if err := e.server.Err(); err != nil {
		return failed(err.Error())
	}
	b, err := json.Marshal(page)
	if err != nil {
		return failed(err.Error())
	}
	return string(b)
}

func failed(why string) string {
	b, _ := json.Marshal(map[string]string{"error": why})
	return string(b)
}
