package structural

import (
	"maps"
	"slices"
)

// shape is what a part of a CRD looks like that is checked and not used.
type shape struct {
	kind   shapeKind
	fields map[string]*shape // of an object
	of     *shape            // the elements of a list, the values of a map
}

type shapeKind uint8

const (
	shapeAny shapeKind = iota
	shapeString
	shapeBool
	shapeInteger
	shapeObject // with fields that the API defines
	shapeMap    // with keys that somebody chose
	shapeList
)

func objectOf(fields map[string]*shape) *shape { return &shape{kind: shapeObject, fields: fields} }
func listOf(of *shape) *shape                  { return &shape{kind: shapeList, of: of} }
func mapOf(of *shape) *shape                   { return &shape{kind: shapeMap, of: of} }

var (
	anyShape     = &shape{}
	stringShape  = &shape{kind: shapeString}
	boolShape    = &shape{kind: shapeBool}
	integerShape = &shape{kind: shapeInteger}
)

// metadataShape is ObjectMeta.
var metadataShape = objectOf(map[string]*shape{
	"name": stringShape, "generateName": stringShape, "namespace": stringShape, "selfLink": stringShape, "uid": stringShape,
	"resourceVersion": stringShape, "generation": integerShape, "creationTimestamp": stringShape,
	"deletionTimestamp": stringShape, "deletionGracePeriodSeconds": integerShape,
	"labels": mapOf(stringShape), "annotations": mapOf(stringShape), "finalizers": listOf(stringShape),
	"ownerReferences": listOf(objectOf(map[string]*shape{
		"apiVersion": stringShape, "kind": stringShape, "name": stringShape, "uid": stringShape,
		"controller": boolShape, "blockOwnerDeletion": boolShape,
	})),
	"managedFields": listOf(anyShape),
})

var subresourcesShape = objectOf(map[string]*shape{
	"status": objectOf(nil),
	"scale": objectOf(map[string]*shape{
		"specReplicasPath": stringShape, "statusReplicasPath": stringShape, "labelSelectorPath": stringShape,
	}),
})

var selectableFieldsShape = listOf(objectOf(map[string]*shape{"jsonPath": stringShape}))

// columnsShape returns additionalPrinterColumns, in which v1beta1 spells one field differently.
func columnsShape(apiVersion string) *shape {
	jsonPath := "jsonPath"
	if apiVersion == apiV1beta1 {
		jsonPath = "JSONPath"
	}
	return listOf(objectOf(map[string]*shape{
		"name": stringShape, "type": stringShape, "format": stringShape, "description": stringShape,
		"priority": integerShape, jsonPath: stringShape,
	}))
}

// conversionShape returns spec.conversion.
func conversionShape(apiVersion string) *shape {
	clientConfig := objectOf(map[string]*shape{
		"url": stringShape, "caBundle": stringShape,
		"service": objectOf(map[string]*shape{
			"namespace": stringShape, "name": stringShape, "path": stringShape, "port": integerShape,
		}),
	})
	if apiVersion == apiV1beta1 {
		return objectOf(map[string]*shape{
			"strategy": stringShape, "webhookClientConfig": clientConfig, "conversionReviewVersions": listOf(stringShape),
		})
	}
	return objectOf(map[string]*shape{
		"strategy": stringShape,
		"webhook": objectOf(map[string]*shape{
			"clientConfig": clientConfig, "conversionReviewVersions": listOf(stringShape),
		}),
	})
}

// check reports what in the field e, of the object at the path at, is not as s says.
func (d *decoder) check(e *entry, at *Path, s *shape) {
	d.checkValue(e.value, e.pos, at.Child(e.key), s)
}

func (d *decoder) checkValue(n *node, pos pos, at *Path, s *shape) {
	if n.kind == kindNull {
		return
	}
	switch s.kind {
	case shapeString:
		if n.kind != kindString {
			d.wrongType(n, pos, at, "a string", quotesHint(n))
		}
	case shapeBool:
		if n.kind != kindBool {
			d.wrongType(n, pos, at, "a boolean", "")
		}
	case shapeInteger:
		if n.kind != kindInt {
			d.wrongType(n, pos, at, "an integer", "")
		}
	case shapeList:
		if n.kind != kindList {
			d.wrongType(n, pos, at, "a list", "")
		}
		for i, e := range n.list {
			d.checkValue(e, e.pos, at.Index(i), s.of)
		}
	case shapeMap:
		for i, fields := 0, d.fields(n, pos, at); i < len(fields); i++ {
			d.checkValue(fields[i].value, fields[i].pos, at.Key(fields[i].key), s.of)
		}
	case shapeObject:
		for i, fields := 0, d.fields(n, pos, at); i < len(fields); i++ {
			if f := &fields[i]; s.fields[f.key] != nil {
				d.check(f, at, s.fields[f.key])
			} else {
				d.unknownField(f, at, func(key string) string { return didYouMean(key, slices.Sorted(maps.Keys(s.fields))) })
			}
		}
	}
}

// quotesHint says how to make a string of a scalar that is none.
func quotesHint(n *node) string {
	switch n.kind {
	case kindBool, kindInt, kindFloat:
		return "put it in quotes"
	}
	return ""
}
