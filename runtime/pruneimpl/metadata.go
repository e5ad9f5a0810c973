package pruneimpl

// PruneMetadata drops the fields that ObjectMeta does not have from the metadata of a resource. Metadata that is not an object is left
// alone: it is wrong, but there is nothing in it to drop.
func PruneMetadata(v any, rec *Recorder) int {
	if _, ok := v.(map[string]any); !ok {
		return 0
	}
	return rec.metadata(pruneObjectMeta(v, rec))
}

// CheckMetadata checks the metadata of a resource against the types of ObjectMeta.
func CheckMetadata(v any, rec *Recorder) int {
	return rec.metadata(checkObjectMeta(v, rec))
}
