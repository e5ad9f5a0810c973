package prunecmd

import (
	"strconv"

	"go.yaml.in/yaml/v2"
)

// marshalYAML returns a document as sigs.k8s.io/yaml writes it. That package writes JSON first and reads that, which takes twice the
// time and the memory, and changes some characters. Its only other effect is that whole numbers have no exponent. marshalYAML changes the
// numbers in doc.
func marshalYAML(doc any) ([]byte, error) {
	return yaml.Marshal(withIntegers(doc))
}

// withIntegers replaces whole floats by integers, where they fit into 64 bits.
func withIntegers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for k, below := range value {
			value[k] = withIntegers(below)
		}
	case []any:
		for i, below := range value {
			value[i] = withIntegers(below)
		}
	case float64:
		digits := strconv.FormatFloat(value, 'f', -1, 64)
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
			return n
		}
		if n, err := strconv.ParseUint(digits, 10, 64); err == nil {
			return n
		}
	}
	return value
}
