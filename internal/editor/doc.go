// Package editor is the room of the language server: the protocol, completion, and hover texts. It decides what is proposed at a place of a text that may be
// unfinished. It imports base, text, answer and explain. The command lsp calls it, and the page.
package editor
