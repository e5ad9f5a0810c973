// Package schematree describes a schema to people as a tree of fields: which values they allow, and what happens to unknown fields.
package schematree
