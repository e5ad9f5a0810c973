// Package text is the room of texts: YAML and JSON as nodes with places, the objects in a text, files of known fields, edits that keep every other byte, and
// findings about all of these. It decides what a place is and what a text may contain. It imports base and the model, structural. Whatever reads a file calls it.
package text
