package terminal

import "testing"

func TestSizesForPeople(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 1023: "1.0 kB", 999_900: "999.9 kB", 1_000_000: "1.0 MB", 2_500_000_000: "2.5 GB", 4_000_000_000_000: "4000.0 GB"} {
		if got := Size(n); got != want {
			t.Errorf("%d bytes are %s, want %s", n, got, want)
		}
	}
}
