package prunejson

// slabs are memory that values of one document share, to save allocations. A slab stays alive as long as one of its values does, with
// everything that it refers to. So slabs are small and hold nothing that is dropped, and large values have their own memory. Lists have
// their own memory, too: sharing it gains nothing.
type slabs struct {
	texts   []byte   // of strings
	strings []string // that are values
}

// How large slabs are at most, and what is in them.
const (
	maxTexts      = 8192
	maxStrings    = 64
	maxSharedText = 256
)

// slabSize returns the size of a slab for a document in which one byte in the given number counts.
func (d *Decoder) slabSize(bytes, least, most int) int { return min(max(d.end/bytes, least), most) }

// keepText returns a string with this text.
func (d *Decoder) keepText(text []byte) string {
	if !shared || len(text) > maxSharedText {
		return string(text)
	}
	if cap(d.texts)-len(d.texts) < len(text) {
		d.texts = make([]byte, 0, d.slabSize(4, 2*maxSharedText, maxTexts))
	}
	begin := len(d.texts)
	d.texts = append(d.texts, text...)
	return textOf(d.texts[begin:])
}

// stringValue returns a string as a value.
func (d *Decoder) stringValue(text string) any {
	if !shared || len(text) > maxSharedText {
		return text
	}
	if len(d.strings) == cap(d.strings) {
		d.strings = make([]string, 0, d.slabSize(64, 4, maxStrings))
	}
	d.strings = append(d.strings, text)
	return textAt(&d.strings[len(d.strings)-1])
}
