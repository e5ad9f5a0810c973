package prunejson

import (
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
)

// guarded returns a page between two that must not be touched.
func guarded(t *testing.T) []byte {
	page := os.Getpagesize()
	all, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(all); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{all[:page], all[2*page:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	for _, i := range []int{page - 1, 2 * page} {
		if fault(func() { all[i]++ }) == nil {
			t.Fatalf("byte %d of %d can be touched", i, len(all))
		}
	}
	return all[page : 2*page : 2*page]
}

// fault returns what do panics with, which includes that it touches a guard.
func fault(do func()) (fault any) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { fault = recover() }()
	do()
	return nil
}

// Nothing is read before the document or after its padding.
func TestFindStaysInTheBuffer(t *testing.T) {
	room := guarded(t)
	text := plainBytes(200, false)
	for size := range len(text) + 1 {
		for name, buf := range map[string][]byte{"first": room[:size+padding], "last": room[len(room)-size-padding:]} {
			clear(buf[copy(buf, text[:size]):])
			for p := range size + 1 {
				if fault := fault(func() { expectFound(t, buf, p) }); fault != nil {
					t.Fatalf("position %d of %d, %s in the page: %v", p, size, name, fault)
				}
			}
		}
	}
}

// Documents that end anywhere, in a buffer that ends with their padding.
func TestScannersStayInTheBuffer(t *testing.T) {
	room := guarded(t)
	long := strings.Repeat("x", 90)
	doc := `{"apiVersion":"example.com/v1","kind":"Thing","spec":{"name":"` + long + `\n` + long + `","` + long + `":["é` + long + `",-1.5e3,true],
        "templates":{"a` + long + `":{"kind":"x","spec":{"name":"\u00e9` + long + `"}}}},"status":{}}` + strings.Repeat(" ", 40)
	want, err := pruneThing(nil, []byte(doc))
	if err != nil {
		t.Fatal(err)
	}
	for size := range len(doc) + 1 {
		src := []byte(doc[:size])
		for name, dst := range map[string][]byte{"first": room[: 0 : size+padding], "last": room[len(room)-size-padding:][:0]} {
			var got []byte
			var err error
			if fault := fault(func() { got, err = pruneThing(dst, src) }); fault != nil {
				t.Fatalf("%d bytes, %s in the page: %v", size, name, fault)
			}
			if complete := size > strings.LastIndexByte(doc, '}'); complete != (err == nil) {
				t.Errorf("%d bytes: %v", size, err)
			} else if complete && string(got) != string(want[:len(want)-len(doc)+size]) {
				t.Errorf("%d bytes: %s", size, got)
			}
			if fault := fault(func() { decoder(dst).decode(src, (*Decoder).Keep) }); fault != nil {
				t.Fatalf("decoding %d bytes, %s in the page: %v", size, name, fault)
			}
		}
	}
}

// decoder returns a decoder that copies documents to dst.
func decoder(dst []byte) *Decoder { return &Decoder{Scanner: Scanner{dst: dst}} }
