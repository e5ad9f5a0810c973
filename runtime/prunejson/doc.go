// Package prunejson is called only by generated code: it prunes JSON documents without decoding them, or while decoding them. Like package
// pruneimpl it changes with the generator and promises nothing.
//
// A document is copied once and then scanned in the copy, from its first byte to its last. When a part is dropped, the kept bytes before it
// are moved next to those kept earlier; a document with nothing to drop is not touched. The syntax of everything is checked on the way,
// dropped parts included.
//
// # Positions
//
// Generated functions take the position of a value and return the position after it. What follows the document is zero,
// and a zero is an error everywhere in JSON. So no loop needs to ask where the document ends: it stops there as at any other unexpected
// byte. For the same reason an error needs no handling in generated code: the first one is remembered, the position becomes the end of the
// document, where nothing continues, and every function returns.
//
// # Decoding
//
// A Decoder is a Scanner that leaves the copy alone and puts kept values on a stack, from which it makes each map with the size that it
// needs: growing a map costs more than waiting. Most of the time goes into maps, which take two allocations each. So everything else takes
// as few as it can: strings and their headers are cut from slabs, which belong to one document.
package prunejson

//go:generate go run ../../generator/internal/objectmeta
