// Package prunert is the runtime API of generated code: Resource holds the functions for a kind and answers requests as the API
// server does, Set finds it for an object, Register and Lookup find it by group, version and kind, and the other types are
// options and errors of the functions.
//
// It is small on purpose and imports only the standard library.
//
// # What generated functions take
//
// Objects are what a JSON decoder of the Kubernetes API machinery makes: nil, bool, int64, float64, string, []any and
// map[string]any. Values of any other type, a map[string]string or a []string for example, pass for every type, are equal to
// nothing, and stay as they are; CEL rules read an int or int32 as an integer and a float32 as a number, and fail where they read another
// one.
//
// A function takes objects of its own version and kind and does not check that they are: Resource.Matches does, and so do Create
// and Update of a resource.
//
// Pruning changes the object in place. First copy an object that others read, for example one from an informer's cache.
//
// # What Check does not check
//
// Check checks only the types of values. It ignores required, enum, pattern, minimum, maxLength, format, oneOf and the other value
// validations, CEL rules, the values in metadata (a name that is not a DNS name), and fields that the schema does not specify, which
// PruneReport finds. A nil result means that every value has the type in the schema, not that the API server accepts the object.
//
// # What Validate does not validate
//
// Validate reports everything that a schema does not allow, types included. It does not evaluate CEL rules, which ValidateRules
// does, and in metadata it validates only the types, unless the schema specifies more. Resource.ValidateAll reports all errors
// in an object.
//
// # Requests
//
// Resource.Create and Resource.Update, and the methods of Set of the same names, do everything that the API server does to a
// request except authorization, admission and storing: they decode, prune, fill in defaults, set the metadata that is
// the server's, drop or keep the status, validate, warn and refuse. The functions above are parts of that: an object that passes Normalize
// and Validate can still be refused, and one that Validate refuses for its status is created without the status.
//
// # JSON
//
// The functions on JSON take one document, which is an object. dst must not overlap src. Decoding what they return gives
// what pruning the decoded document gives, with the decoder of the Kubernetes API machinery: a key counts by its decoded form,
// in which invalid UTF-8 and half a surrogate pair are U+FFFD; below duplicate keys each value is pruned. Numbers and all else
// that is kept stay as they are written, so that a document with nothing to drop comes back byte for byte.
//
// The error is a *SyntaxError, and nothing is returned, if the document is not valid JSON, even in a dropped part, is nested deeper than
// MaxDepth, is not an object, or has more than blanks after the object. DecodeJSON returns the same for a number in a kept part that is too
// large for a float64.
//
// These characters are dropped with a member: if a kept member comes before it, the comma before it and the blanks between the two;
// otherwise, everything up to the next key. Where no member of an object is kept, everything from the first key to the end of the last
// value is dropped. An object of which the schema specifies nothing at all, for example in the place of a string, becomes {} if it has any
// member.
//
//	{"a":1, "u":2 }   {"a":1 }
//	{ "u":1, "a":2}   { "a":2}
//	{ "u":1 }         {  }
//
// What DecodeJSON returns is made of new memory: it does not refer to the document, and nothing of what was dropped stays
// alive. Strings of up to 256 bytes share memory with those that are near them in the document, in pieces of up to 8 KB, and
// so do short lists of strings and numbers: one of them that is kept, where the rest of the object is not, keeps its
// neighbours alive. Copy it with strings.Clone or slices.Clone where that matters. Objects, lists of objects and long strings
// share no memory. With the build tag purego, nothing does.
//
// # Lists
//
// By the kind and the apiVersion of the document, wherever in it they are and by the last of duplicate keys, it is
//
//   - a list of the kind, if kind is the ListKind of the resource and a string: each element of items that is an object is
//     pruned, whatever its apiVersion and kind are;
//   - a list of anything, if apiVersion is v1 and kind is List, as kubectl prints it: each element of items that is an object
//     with the apiVersion and kind of the resource is pruned, all others are kept as they are;
//   - else an object of the kind, whatever its apiVersion and kind are.
//
// Everything else in a list is kept as it is, including items that is not a list and elements that are not objects. Below
// duplicate keys, each items is pruned. Items are not lists themselves. A resource with one name for Kind and ListKind has no
// lists of its kind.
//
// # Streams
//
// PruneStream takes any number of documents with or without blanks between them, and keeps those blanks. It writes a
// document when it has read and pruned all of it. A document larger than DefaultMaxStreamObject, or than the limit of a StreamReader, must
// be a list whose items begin within that many bytes; otherwise the error is an *ObjectSizeError. The same limit applies to each element of
// items and to each member after them; each is written when it is read. If the kind and apiVersion before items say that it is a list of
// the kind, all elements are pruned; otherwise only those with the apiVersion and kind of the resource. If a member after items says that
// this was wrong for one of them, the error is a *LateKindError, and if it says that the document is not a list, an *ObjectSizeError.
// Offsets count from the beginning of the stream. What was written before an error stays written.
//
// The packages below this one are for generated code only.
package prunert
