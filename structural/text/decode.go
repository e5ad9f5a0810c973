package text

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

// Decode returns data as UTF-8 without a byte order mark: as it is, or decoded where it begins with the mark of UTF-16, as
// some shells write it. Lines and columns are those of the decoded text.
func Decode(data []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		order = binary.BigEndian
	default:
		return bytes.TrimPrefix(data, []byte("\ufeff"))
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i+1 < len(data); i += 2 {
		units = append(units, order.Uint16(data[i:]))
	}
	return []byte(string(utf16.Decode(units)))
}
