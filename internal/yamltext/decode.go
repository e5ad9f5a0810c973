package yamltext

import (
	"bytes"
	"encoding/binary"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
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
	decoded := make([]byte, 0, len(data)) // more only if most of the text is not ASCII
	for i := 2; i+1 < len(data); i += 2 {
		r := rune(order.Uint16(data[i:]))
		if utf16.IsSurrogate(r) {
			if r = unicode.ReplacementChar; i+3 < len(data) {
				if pair := utf16.DecodeRune(rune(order.Uint16(data[i:])), rune(order.Uint16(data[i+2:]))); pair != unicode.ReplacementChar {
					r = pair
					i += 2
				}
			}
		}
		decoded = utf8.AppendRune(decoded, r)
	}
	return decoded
}
