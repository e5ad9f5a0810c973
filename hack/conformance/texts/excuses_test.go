package texts

// excuses are the texts that no case can provoke, each with the reason: by file, by function, or by function and a part of the call.
var excuses = map[string]string{
	// Not about CRDs that are created.
	"authentication.go":                  "calls of webhooks",
	"client.go":                          "calls of webhooks",
	"error.go":                           "calls of webhooks",
	"serviceresolver.go":                 "calls of webhooks",
	"webhook.go":                         "calls of webhooks",
	"prune.go":                           "defaults of CRDs that are stored already",
	"options.go":                         "paths of unknown fields, which are not errors",
	"GetCRDStorageVersion":               "other callers",
	"GetSchemaForVersion":                "other callers",
	"GetSubresourcesForVersion":          "other callers",
	"ValidateNoNewFinalizers":            "updates",
	"ValidateImmutableField":             "updates",
	"ValidateObjectMetaUpdate":           "updates",
	"ValidateObjectMetaAccessorUpdate":   "updates",
	"ValidateObjectMetaWithOpts":         "other callers",
	"ValidateObjectMetaAccessorWithOpts": "other callers",
	"ValidateCABundle":                   "updates of CRDs that are established",
	"ValidateCustomResourceDefinitionStoredVersions: missing from spec.versions": "the API server writes the status of a CRD that is created",
	"GetObjectMetaWithOptions: append(unknown":                                   "unknown fields, which are not errors here",
	"GetObjectMetaWithOptions: expected object, got":                             "fields of wrong types are dropped where objects are read, not where CRDs are",

	// Dear.
	"validateExpressions: running out of cost budget": "takes seconds: TestRulesRefuseDefaultsForTheSameReasons has it",

	// What an earlier check keeps from happening.
	"validateObjectMetaAccessorWithOptsCommon: \"namespace\"), \"\"":                                                 "CRDs have no namespace, and embedded resources need none",
	"validateObjectMetaAccessorWithOptsCommon: not allowed on this type":                                             "the API server removes the namespace of a CRD first, and embedded resources may have one",
	"ValidateObjectMeta: objMeta, err.Error()":                                                                       "an ObjectMeta has an accessor",
	"validateCustomResourceDefinitionValidation: error building validator":                                           "a schema that cannot be converted is refused before",
	"validateCustomResourceDefinitionValidation: Child(\"openAPIV3Schema\"), \"\", err.Error()":                      "defaults in metadata stand in an object",
	"ValidateCustomResourceDefinitionOpenAPISchema: failed to retrieve type information":                             "a type that cannot be made is an error before",
	"ValidateCustomResourceDefinitionOpenAPISchema: InternalError(fldPath.Child(\"x-kubernetes-validations\"), err)": "a type that cannot be made is an error before",
	"ValidateCustomResourceDefinitionOpenAPISchema: Child(\"rule\"), cr.Error.Detail":                                "a rule that is not there is an error before",
	"validateSimpleJSONPath: must not be empty":                                                                      "callers look for empty paths before",
	"validateSimpleJSONPath: dot notation":                                                                           "splitting returns at least one part",
	"validateAPIApproval: metadata":                                                                                  "there are no other states",
	"validateDeprecationWarning: control character":                                                                  "control characters are not printable, which is an error before",
	"validateDeprecationWarning: \"must only contain printable UTF-8 characters\"":                                   "what is read from JSON is valid UTF-8",
	"validateValueValidationCompleteness":                                                                            "the caller returns before if nothing is specified",
	"validate: failed to validate default value inside metadata":                                                     "defaults in metadata stand in an object",
	"Child":             "defaults in metadata stand in an object that has nothing else",
	"Index":             "defaults in metadata stand in an object that has nothing else",
	"NewRootObjectFunc": "metadata is not the root",
	"coerce: field.Invalid(pth.Child(\"metadata\"), v, err.Error())": "what was read as ObjectMeta can be written",
	"validateEmbeddedResource: must be a string":                     "reading metadata finds that before",
	"validateEmbeddedResource: pth.Child(\"metadata\")":              "reading metadata finds that before",
	"validateExpressions: runtime cost could not be calculated":      "programs always count costs",
	"validateExpressions: InternalError(currentFldPath":              "programs always count costs",
}
