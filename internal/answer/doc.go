// Package answer is the room of what an API server would do: the interpreter of schemas with the formats of strings, resources made of it, the engine that
// answers for the objects of a manifest, and the one that asks for built-in kinds. It decides what is stored, dropped and refused; it is written
// to be obviously right, and generated code is compared with it. It imports base, text and crd, and no compiler of rules.
package answer
