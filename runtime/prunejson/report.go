package prunejson

// report collects what is dropped.
type report struct {
	keys []Pos // of the dropped fields, in the order of the document
}

func (r *report) dropped(key Pos) { r.keys = append(r.keys, key) }
