package structural

// ObjectMeta returns the metadata of a resource as a schema: every field of ObjectMeta as of Kubernetes 1.37. Each of them may be null,
// as for Go's decoder, and fieldsV1 in managedFields is free-form.
func ObjectMeta() *Schema {
	return metaObject(map[string]*Schema{
		"annotations":                metaMap(metaType("string")),
		"creationTimestamp":          metaFormat("string", "date-time"),
		"deletionGracePeriodSeconds": metaFormat("integer", "int64"),
		"deletionTimestamp":          metaFormat("string", "date-time"),
		"finalizers":                 metaList(metaType("string")),
		"generateName":               metaType("string"),
		"generation":                 metaFormat("integer", "int64"),
		"labels":                     metaMap(metaType("string")),
		"managedFields": metaList(metaObject(map[string]*Schema{
			"apiVersion":  metaType("string"),
			"fieldsType":  metaType("string"),
			"fieldsV1":    metaFree(),
			"manager":     metaType("string"),
			"operation":   metaType("string"),
			"subresource": metaType("string"),
			"time":        metaFormat("string", "date-time"),
		})),
		"name":      metaType("string"),
		"namespace": metaType("string"),
		"ownerReferences": metaList(metaObject(map[string]*Schema{
			"apiVersion":         metaType("string"),
			"blockOwnerDeletion": metaType("boolean"),
			"controller":         metaType("boolean"),
			"kind":               metaType("string"),
			"name":               metaType("string"),
			"uid":                metaType("string"),
		})),
		"resourceVersion": metaType("string"),
		"selfLink":        metaType("string"),
		"uid":             metaType("string"),
	})
}

func metaType(typ string) *Schema {
	return &Schema{Generic: Generic{Type: typ, Nullable: true}, ValueValidation: &ValueValidation{}}
}

func metaFormat(typ, format string) *Schema {
	s := metaType(typ)
	s.ValueValidation.Format = format
	return s
}

func metaObject(properties map[string]*Schema) *Schema {
	s := metaType("object")
	s.Properties = properties
	return s
}

func metaMap(values *Schema) *Schema {
	s := metaType("object")
	s.AdditionalProperties = &SchemaOrBool{Schema: values, Bool: true}
	return s
}

func metaList(items *Schema) *Schema {
	s := metaType("array")
	s.Items = items
	return s
}

func metaFree() *Schema {
	s := metaType("")
	s.XPreserveUnknownFields = true
	return s
}

// IsMetaField reports whether every resource has the field k, whatever its schema says.
func IsMetaField(k string) bool {
	return k == "apiVersion" || k == "kind" || k == "metadata"
}
