package generatecmd

import "testing"

func TestSizesForPeople(t *testing.T) {
	for n, want := range map[int]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 1023: "1.0 kB", 999_900: "999.9 kB", 1_000_000: "1.0 MB"} {
		if got := size(n); got != want {
			t.Errorf("%d bytes are %s, want %s", n, got, want)
		}
	}
}
