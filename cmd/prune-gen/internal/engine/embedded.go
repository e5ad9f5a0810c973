//go:build embedengine

package engine

import _ "embed"

var (
	//go:embed built/engine.wasm.gz
	wasm []byte
	//go:embed built/wasm_exec.js
	loader string
)

func embedded() *Engine { return &Engine{wasm, loader} }
