package kubeversion_test

import (
	"fmt"
	"log"

	"github.com/prune-gen/prune-gen/runtime/kubeversion"
)

func ExampleParse() {
	v, err := kubeversion.Parse("1.35")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v, v < kubeversion.Newest)
	// Output: 1.35 true
}
