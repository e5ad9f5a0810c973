package kube

import (
	"fmt"

	"github.com/prune-gen/prune-gen/internal/base/badvalue"
	prunert "github.com/prune-gen/prune-gen/runtime"
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

// OurText returns an error of ours as it is compared with those of Kubernetes.
func OurText(e *prunert.Error) string {
	value := e.BadValue
	switch v := value.(type) {
	case prunert.OmittedValue:
		value = field.OmitValueType{}
	case badvalue.Go:
		value = v.Value
	}
	return ValueText(string(e.Type), e.Field, value, e.Detail, e.Error())
}

// ValueText is what an error about a value is compared as.
func ValueText(typ, field string, value any, detail, text string) string {
	return fmt.Sprintf("%s %s %T %#v %s | %s", typ, field, value, value, detail, text)
}
