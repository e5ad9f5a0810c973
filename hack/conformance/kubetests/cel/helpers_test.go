//go:build kubetests

package cel

import (
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// The functions that Kubernetes' test of compiling takes from its test of validating, which is not run here.

func primitiveType(typ, format string) schema.Structural {
	return schema.Structural{Generic: schema.Generic{Type: typ}, ValueValidation: &schema.ValueValidation{Format: format}}
}

func intOrStringType() schema.Structural {
	return schema.Structural{Extensions: schema.Extensions{XIntOrString: true}}
}

func objectType(properties map[string]schema.Structural) schema.Structural {
	return schema.Structural{Generic: schema.Generic{Type: "object"}, Properties: properties}
}

func arrayType(listType string, keys []string, items *schema.Structural) schema.Structural {
	return schema.Structural{Generic: schema.Generic{Type: "array"}, Extensions: schema.Extensions{XListType: &listType, XListMapKeys: keys}, Items: items}
}

func withRule(s schema.Structural, rule string) schema.Structural {
	s.XValidations = v1.ValidationRules{{Rule: rule}}
	return s
}

func withMaxLength(s schema.Structural, n *int64) schema.Structural {
	if s.ValueValidation == nil {
		s.ValueValidation = &schema.ValueValidation{}
	}
	s.ValueValidation.MaxLength = n
	return s
}

func withMaxItems(s schema.Structural, n *int64) schema.Structural {
	if s.ValueValidation == nil {
		s.ValueValidation = &schema.ValueValidation{}
	}
	s.ValueValidation.MaxItems = n
	return s
}
