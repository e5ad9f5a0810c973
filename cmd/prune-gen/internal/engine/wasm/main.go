//go:build js && wasm

// Engine is the part of prune-gen that runs in the pages of explain: it answers as the API server would, while the reader types.
//
// It sets three global functions. pruneGenLoad(sources) takes a list of manifest.PageSource as JSON, and returns {} or {"error": "..."}.
// pruneGenMarks(manifest, old), after it, takes a text and a text with the objects that it replaces, and returns manifest.Page as JSON, or
// an error. pruneGenComplete(before, after) takes the text before and after the caret, and returns {"proposals": [...]}.
package main

import (
	"encoding/json"
	"fmt"
	"syscall/js"
	"unicode/utf16"

	"github.com/prune-gen/prune-gen/internal/answer/manifest"
	"github.com/prune-gen/prune-gen/internal/editor/assist"
)

func main() {
	var server *manifest.Server
	set("pruneGenLoad", func(args []js.Value) (any, error) {
		var sources []manifest.PageSource
		err := json.Unmarshal([]byte(args[0].String()), &sources)
		if err == nil {
			server, err = manifest.PageServer(sources)
		}
		return struct{}{}, err
	})
	set("pruneGenMarks", func(args []js.Value) (any, error) {
		page := server.Page([]byte(args[0].String()), []byte(args[1].String()))
		return page, server.Err()
	})
	set("pruneGenComplete", func(args []js.Value) (any, error) {
		before := args[0].String()
		text := before + args[1].String()
		all, _ := assist.Complete(server, []byte(text), len(before))
		proposals := make([]proposal, len(all))
		for i, p := range all {
			proposals[i] = proposal{p.Label, p.Detail, p.Text, p.Required, p.Deprecated, units(text[p.Start:len(before)]), units(text[len(before):p.End])}
		}
		return map[string]any{"proposals": proposals}, nil
	})
	select {}
}

// proposal is an assist.Proposal for a page. What it replaces are characters of JavaScript before and after the caret.
type proposal struct {
	Label      string `json:"label"`
	Detail     string `json:"detail"`
	Text       string `json:"text"`
	Required   bool   `json:"required,omitempty"`
	Deprecated bool   `json:"deprecated,omitempty"`
	Before     int    `json:"before"`
	After      int    `json:"after"`
}

// set sets a global function. The function returns the result of do as JSON, or an error.
func set(name string, do func(args []js.Value) (any, error)) {
	js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) (result any) {
		defer func() {
			if r := recover(); r != nil {
				result = failed(fmt.Sprint(r))
			}
		}()
		v, err := do(args)
		if err != nil {
			return failed(err.Error())
		}
		b, err := json.Marshal(v)
		if err != nil {
			return failed(err.Error())
		}
		return string(b)
	}))
}

// units returns the length of a text in JavaScript.
func units(text string) int { return len(utf16.Encode([]rune(text))) }

func failed(why string) string {
	b, _ := json.Marshal(map[string]string{"error": why})
	return string(b)
}
