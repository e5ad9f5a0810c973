package kube

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValueTexts returns errors as they are compared: type, field, bad value with its Go type, and detail of each.
func ValueTexts(errs field.ErrorList) []string {
	var texts []string
	for _, e := range errs {
		texts = append(texts, ValueText(string(e.Type), e.Field, e.BadValue, e.Detail, e.Error()))
	}
	return texts
}

// ValueText is what an error about a value is compared as.
func ValueText(typ, field string, value any, detail, text string) string {
	return fmt.Sprintf("%s %s %T %#v %s | %s", typ, field, value, value, detail, text)
}
