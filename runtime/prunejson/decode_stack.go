package prunejson

// stack holds decoded values that are not yet part of an object or a list: a map is made with its size, which is known only at the end of
// the object.
type stack struct {
	members []member
	used    int // how many there were at most
}

// member is a member of an object, or an element of a list, which has no key.
type member struct {
	key   string
	value any
}

func (s *stack) push(key string, value any) { s.members = append(s.members, member{key, value}) }

// Size returns how many members there are.
func (s *stack) Size() int { return len(s.members) }

// truncate forgets all members except the first ones.
func (s *stack) truncate(size int) {
	s.used = max(s.used, len(s.members))
	s.members = s.members[:size]
}

// cleared returns a stack without any members, and without a trace of them.
func (s *stack) cleared() stack {
	s.truncate(0)
	if cap(s.members) > maxIdleStack {
		return stack{}
	}
	clear(s.members[:s.used])
	return stack{members: s.members}
}

// Close makes an object of the members above size and puts it in their place. It returns the position after the object, whose
// keys end at p.
func (d *Decoder) Close(key string, size int, p Pos) Pos {
	p = d.Scanner.Close(p)
	members := d.members[size:]
	obj := make(map[string]any, len(members))
	for i := range members {
		obj[members[i].key] = members[i].value
	}
	d.truncate(size)
	d.push(key, obj)
	return p
}

// CloseList makes a list of the members above size and puts it in their place. It returns the position after the list,
// which is p.
func (d *Decoder) CloseList(key string, size int, p Pos) Pos {
	members := d.members[size:]
	list := make([]any, len(members))
	for i := range members {
		list[i] = members[i].value
	}
	d.truncate(size)
	d.push(key, list)
	return p
}
