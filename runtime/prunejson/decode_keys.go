package prunejson

// Drop drops the field at p, whose key no case has matched, and returns the next key. If the key is only spelled oddly, it returns the same
// key in the spelling that the cases expect, as Scanner.Drop does.
func (d *Decoder) Drop(k *Window, p Pos) (*Window, Pos) {
	value, odd := d.Scanner.OtherKey(k, p)
	if odd != nil {
		return odd, value
	}
	return d.Next(d.Scanner.Keep(value))
}

// Rest is Drop for a field that is kept.
func (d *Decoder) Rest(k *Window, p Pos) (*Window, Pos) {
	key, value, odd := d.OtherKey(k, p)
	if odd != nil {
		return odd, value
	}
	return d.Next(d.Keep(key, value))
}

// OtherKey returns a key that no case has matched, and the position of its value. Where the key is only spelled oddly it
// returns the spelling that the cases expect, and the position as Drop does.
func (d *Decoder) OtherKey(k *Window, p Pos) (key string, value Pos, odd *Window) {
	value, odd = d.Scanner.OtherKey(k, p)
	switch {
	case odd != nil || d.err != nil:
		return "", value, odd
	case d.isRespelled(k): // p is then not a position and may be negative
		return d.keepText(d.oddKeyText()), value, nil
	}
	return d.keepText(d.buf[p+len(`"`) : value-len(`":`)]), value, nil
}

// Key returns the key of a map that is at p, and the position of its value.
func (d *Decoder) Key(p Pos) (key string, value Pos) {
	key, p = d.text(p)
	if d.at(p) != ':' {
		if p = d.blanks(p); d.at(p) != ':' {
			return "", d.fail(p, "invalid character %s after a key")
		}
	}
	return key, p + 1
}
