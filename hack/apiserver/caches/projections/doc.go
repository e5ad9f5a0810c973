// Package projections has functions that prune-gen project has generated from the lists beside them, which keep about twenty fields.
package projections
