// Package outline shows a schema to people as a tree of fields: what values they take, and what becomes of fields that are not in it.
package outline
