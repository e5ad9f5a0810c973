package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/terminal"
)

// counter counts how much of a file was read, and shows that in the progress line.
type counter struct {
	r           io.Reader
	name        string
	read, total int64 // total is 0 if it is not known
	shown       int64
	progress    *terminal.Progress
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.read += int64(n)
	const every = 1 << 20
	if c.progress != nil && c.read-c.shown >= every {
		c.shown = c.read
		c.progress.Show("%s", c.bar())
	}
	return n, err
}

// bar returns how much is read: [#####...............] 25% of 2.0 GB, dump.json
func (c *counter) bar() string {
	if c.total == 0 {
		return fmt.Sprintf("%s read, %s", terminal.Size(c.read), c.name)
	}
	const width = 20
	done := int(min(c.read, c.total) * width / c.total)
	return fmt.Sprintf("[%s%s] %d%% of %s, %s", strings.Repeat("#", done), strings.Repeat(".", width-done), min(c.read, c.total)*100/c.total, terminal.Size(c.total), c.name)
}
