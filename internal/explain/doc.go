// Package explain is the room of schemas for people and other programs: as a tree, and as JSON Schema. It decides nothing about objects. It imports base, text and
// answer. The commands explain and schema call it, and what completes manifests.
package explain
