package kubenames

import "fmt"

// TooMany returns the detail of an error about too many elements.
func TooMany(most int64) string {
	switch {
	case most == 1:
		return "must have at most 1 item"
	case most < 0:
		return "has too many items"
	}
	return fmt.Sprintf("must have at most %d items", most)
}

// TooLong returns the detail of an error about a text that is too long.
func TooLong(most int64) string {
	switch {
	case most == 1:
		return "may not be more than 1 byte"
	case most < 0:
		return "value is too long"
	}
	return fmt.Sprintf("may not be more than %d bytes", most)
}
