//go:build js && wasm

// Engine is the part of prune-gen that runs in the pages of explain: it answers as the API server would, while the reader types.
//
// It sets the global function pruneGenMarks(source, manifest), which takes a manifest.PageSource as JSON and a text, and returns
// manifest.Page as JSON, or {"error": "..."}.
package main

import (
	"encoding/json"
	"fmt"
	"syscall/js"

	"github.com/prune-gen/prune-gen/internal/manifest"
)

func main() {
	var e engine
	js.Global().Set("pruneGenMarks", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return e.answer(args[0].String(), args[1].String())
	}))
	select {}
}

// engine has the server that answered last.
type engine struct {
	source string
	server *manifest.Server
}

// answer returns what becomes of a manifest, as JSON.
func (e *engine) answer(source, text string) (result string) {
	defer func() {
		if r := recover(); r != nil {
			result = failed(fmt.Sprint(r))
		}
	}()
	if e.server == nil || e.source != source {
		var p manifest.PageSource
		if err := json.Unmarshal([]byte(source), &p); err != nil {
			return failed(err.Error())
		}
		s, err := p.Server()
		if err != nil {
			return failed(err.Error())
		}
		e.source, e.server = source, s
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
