// Package marks says, line by line, what the API server would do to the objects of a manifest if somebody created them: what it
// drops, fills in, changes and refuses.
package marks
