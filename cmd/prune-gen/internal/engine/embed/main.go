// Embed builds the engine into the folder from which builds with the tag embedengine embed it.
package main

import (
	"log"

	"github.com/prune-gen/prune-gen/cmd/prune-gen/internal/engine"
)

func main() {
	if err := engine.Write("cmd/prune-gen/internal/engine/built"); err != nil {
		log.Fatal(err)
	}
}
