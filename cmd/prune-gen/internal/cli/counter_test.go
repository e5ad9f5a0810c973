package cli

import "testing"

func TestBarShowsHowMuchIsRead(t *testing.T) {
	for _, tt := range []struct {
		read, total int64
		want        string
	}{
		{500_000_000, 2_000_000_000, "[#####...............] 25% of 2.0 GB, dump.json"},
		{0, 2_000_000, "[....................] 0% of 2.0 MB, dump.json"},
		{3_000_000, 2_000_000, "[####################] 100% of 2.0 MB, dump.json"}, // it has grown
		{1_500_000, 0, "1.5 MB read, dump.json"},
		{12_000, 0, "12.0 kB read, dump.json"},
	} {
		c := &counter{name: "dump.json", read: tt.read, total: tt.total}
		if have := c.bar(); have != tt.want {
			t.Errorf("%q, want %q", have, tt.want)
		}
	}
}
