package verdicts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prune-gen/prune-gen/internal/testing/testsize"
	"sigs.k8s.io/yaml"
)

// ruleSchemas are schemas with CEL rules, as the schema of one property called a. Each text that the API server has for rules
// is provoked by one of them, and beside it is the nearest one that it takes.
var ruleSchemas = []string{
	// The form of rules.
	`{type: string, x-kubernetes-validations: [{rule: ''}]}`,
	`{type: string, x-kubernetes-validations: [{rule: ' '}]}`,
	`{type: string, x-kubernetes-validations: [{}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a', message: ' '}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a', message: "a\nb"}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: "self ==\n'a'"}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: "self ==\n'a'", message: a}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a', messageExpression: ' '}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a', reason: Because}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == 'a', reason: FieldValueDuplicate}]}`,
	`{type: object, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: 'true', fieldPath: .c}]}`,
	`{type: object, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: 'true', fieldPath: .b}]}`,
	`{type: object, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: 'true', fieldPath: ' '}]}`,
	`{type: object, properties: {b: {type: string}}, x-kubernetes-validations: [{rule: 'true', fieldPath: ".b\n"}]}`,
	`{type: object, properties: {b-c: {type: string}}, x-kubernetes-validations: [{rule: 'true', fieldPath: "['b-c']"}]}`,
	// An error of the form here or below hides those of expressions.
	`{type: object, properties: {b: {type: string, x-kubernetes-validations: [{rule: ''}]}}, x-kubernetes-validations: [{rule: self.c}]}`,
	`{type: object, properties: {b: {type: string, x-kubernetes-validations: [{rule: self.c}]}}, x-kubernetes-validations: [{rule: ''}]}`,
	`{type: array, maxItems: 2, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, properties: {k: {type: string, x-kubernetes-validations: [{rule: self.c}]}}}}`,
	`{type: object, x-kubernetes-map-type: bag, properties: {b: {type: string, maxLength: 1, x-kubernetes-validations: [{rule: self == oldSelf}]}}}`,
	// Expressions.
	`{type: string, x-kubernetes-validations: [{rule: self ==}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "\"\x00\" == self"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self == 'ä' && b"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self == '世界' && b && c"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self == 'a' &&\n\tb", message: a}]}`,
	`{type: string, x-kubernetes-validations: [{rule: self}]}`,
	`{type: string, x-kubernetes-validations: [{rule: '1'}]}`,
	`{type: string, x-kubernetes-validations: [{rule: 'dyn(true)'}]}`,
	`{type: string, x-kubernetes-validations: [{rule: 'null'}]}`,
	`{type: boolean, x-kubernetes-validations: [{rule: self}]}`,
	`{type: string, x-kubernetes-validations: [{rule: 'true', messageExpression: '1'}]}`,
	`{type: string, x-kubernetes-validations: [{rule: 'true', messageExpression: 'self +'}]}`,
	`{type: string, x-kubernetes-validations: [{rule: 'true', messageExpression: "'a'.find('(')"}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: 'true', messageExpression: self}]}`,
	`{type: string, x-kubernetes-validations: [{rule: 'false ||', messageExpression: 'self +'}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self.matches('(')"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self.find('(') == ''"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self.findAll('(') == []"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self.findAll('(', 1) == []"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "duration('x') == duration('1s')"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "timestamp('x') == timestamp(self)"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "int('x') == 1"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "uint(-1) == 1u"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "bool('x')"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "double('x') == 1.0"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "string(b'\\xff') == ''"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self in ['a', 1]"}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: "'%s %d'.format([self, 1]) != ''"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "'%d'.format([self]) != ''"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "'%x'.format(1) != ''"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "{'a': 1, 'b': 'c'} == {}"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "{'a': 1, 'a': 2} == {}"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self.includes('a')"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self.path('a')"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "authorizer.path('a').check('b').allowed()"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "dyn(self).path('a').check('b').allowed()"}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: "dyn(self).group(self).resource('b').subresource('c').namespace('d').name('e').check('f').reason() == dyn(self).path('b').check('c').error() || dyn(self).errored()"}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: "dyn(self).serviceAccount('a', 'b') == dyn(self).group('a').resource('b').fieldSelector(self).labelSelector('a=b')"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "dyn(self).group('a').resource('b').fieldSelector(self) == dyn(self).group('a').resource('b')"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self.unknown('a')"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "unknown('a')"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "unknown"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "jsonpatch.escapeKey(self) == ''"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "math.greatest(1, 2) == 2"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "cel.bind(x, self, x == '')"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "type(self) == duration"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "type(self) == timestamp"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "type(self) == string"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "type(self) == list"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "type(self) == google.protobuf.Timestamp"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "type(self) == kubernetes.URL"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "google.protobuf.Int32Value{value: 1} == 1"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "google.protobuf.Int32Value{values: 1} == 1"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "google.protobuf.Struct{} == {}"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "Nothing{} == {}"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "dyn(self)[b'a'] == 1"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "dyn(self)[1.5] == 1"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "dyn(self)[null] == 1"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "has(self)"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "has(self.a)"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self.all(x, true)"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "[1].all(self.x, true)"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "[1].all(self, self == 1)"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "[1].all(oldSelf, oldSelf == 1)"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "[1].all(i, x, x == 1 && i == 0)"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "[1].transformMap(i, x, x + 'a') == {}"}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: "optional.of(self).orValue('') == 'a' && optional.none() == optional.none()"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "optional.of(self) == 'a'"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self.?a == optional.none()"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "[?optional.of(self)] == ['']"}]}`,
	// Values.
	`{x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'true'}]}`,
	`{type: object, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'true'}]}`,
	`{type: object, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: self.b == 1}]}`,
	`{type: object, x-kubernetes-validations: [{rule: 'has(self.b)'}], properties: {b: {x-kubernetes-preserve-unknown-fields: true}}}`,
	`{type: object, x-kubernetes-validations: [{rule: 'true'}], properties: {b: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'true'}]}}}`,
	`{type: array, x-kubernetes-validations: [{rule: 'true'}], items: {x-kubernetes-preserve-unknown-fields: true}}`,
	`{type: array, maxItems: 1, items: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: 'true'}]}}`,
	`{type: object, x-kubernetes-validations: [{rule: 'true'}], additionalProperties: {x-kubernetes-preserve-unknown-fields: true}}`,
	`{type: object, x-kubernetes-validations: [{rule: 'true'}], additionalProperties: true}`,
	`{x-kubernetes-int-or-string: true, x-kubernetes-validations: [{rule: 'type(self) == int ? self < 5 : self.size() < 5'}]}`,
	`{x-kubernetes-int-or-string: true, maxLength: 5, x-kubernetes-validations: [{rule: 'type(self) == int ? self < 5 : self.size() < 5'}]}`,
	`{x-kubernetes-int-or-string: true, x-kubernetes-validations: [{rule: self}]}`,
	`{type: string, format: byte, x-kubernetes-validations: [{rule: "self == b'a'"}]}`,
	`{type: string, format: byte, maxLength: 5, x-kubernetes-validations: [{rule: "self == b'a'"}]}`,
	`{type: string, format: duration, x-kubernetes-validations: [{rule: "self < duration('1s')"}]}`,
	`{type: string, format: date, x-kubernetes-validations: [{rule: "self < timestamp('2020-01-01T00:00:00Z') && self.getFullYear() == 2020"}]}`,
	`{type: string, format: date-time, x-kubernetes-validations: [{rule: "self < timestamp('2020-01-01T00:00:00Z')"}]}`,
	`{type: string, format: date-time, x-kubernetes-validations: [{rule: "self == 'a'"}]}`,
	`{type: number, x-kubernetes-validations: [{rule: "self > 1 && self >= 1.5 && self < 3u"}]}`,
	`{type: integer, x-kubernetes-validations: [{rule: "self > 1.5 && self + 1.5 > 2"}]}`,
	`{type: object, properties: {b-c: {type: string}, d.e/f__g: {type: string}, namespace: {type: string}, in: {type: string}}, x-kubernetes-validations: [{rule: "has(self.b__dash__c) && has(self.d__dot__e__slash__f__underscores__g) && has(self.__namespace__) && has(self.namespace) && has(self.__in__)"}]}`,
	`{type: object, properties: {b-c: {type: string}}, x-kubernetes-validations: [{rule: "has(self.b-c)"}]}`,
	`{type: object, properties: {in: {type: string}}, x-kubernetes-validations: [{rule: "has(self.in)"}]}`,
	`{type: object, properties: {'é': {type: string, maxLength: 2, x-kubernetes-validations: [{rule: "self == 'a'"}]}}, x-kubernetes-validations: [{rule: "true"}]}`,
	`{type: object, properties: {1b: {type: string, maxLength: 2, x-kubernetes-validations: [{rule: "self.x"}]}}}`,
	`{type: object, properties: {b: {type: object, properties: {c: {type: string}}}}, x-kubernetes-validations: [{rule: "self.b == self"}]}`,
	`{type: array, items: {type: object, properties: {c: {type: string}}}, x-kubernetes-validations: [{rule: "self == 1 || self[0] == 1 || self.c == 1"}]}`,
	`{type: object, additionalProperties: {type: object, properties: {c: {type: string}}}, x-kubernetes-validations: [{rule: "self == 1 || self['a'] == 1 || self.a.c == 1 || self.a == 1"}]}`,
	`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: "self.kind == 'a' && self.apiVersion == 'b' && self.metadata.name == 'c' && self.metadata.generateName == 'd'"}]}`,
	`{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: "has(self.metadata.labels)"}]}`,
	`{type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, x-kubernetes-validations: [{rule: "self.name == 'a'"}]}}}`,
	`{type: object, x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, x-kubernetes-validations: [{rule: "self.name == 'a'"}]}}, x-kubernetes-validations: [{rule: "true"}]}`,
	`{type: object, x-kubernetes-embedded-resource: true, properties: {apiVersion: {type: string}, kind: {type: string}, metadata: {type: object, properties: {name: {type: string, maxLength: 3}, generateName: {type: string}}}}, x-kubernetes-validations: [{rule: "self.metadata.generateName.matches('a+')"}]}`,
	`{type: string, allOf: [{x-kubernetes-validations: [{rule: 'true'}]}]}`,
	`{type: string, anyOf: [{x-kubernetes-validations: [{rule: 'true'}]}]}`,
	// Old values.
	`{type: array, maxItems: 9, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == oldSelf}]}}`,
	`{type: array, maxItems: 9, x-kubernetes-list-type: set, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == oldSelf}]}}`,
	`{type: array, maxItems: 9, x-kubernetes-list-type: set, items: {type: string, maxLength: 9}, x-kubernetes-validations: [{rule: self == oldSelf}]}`,
	`{type: array, maxItems: 9, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == oldSelf}]}}}}`,
	`{type: array, maxItems: 9, items: {type: array, maxItems: 9, items: {type: object, properties: {b: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == oldSelf}]}}}}}`,
	`{type: object, maxProperties: 9, additionalProperties: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == oldSelf}]}}`,
	`{type: object, x-kubernetes-map-type: atomic, properties: {b: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == oldSelf}]}}}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == self, optionalOldSelf: true}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == self, optionalOldSelf: false}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: oldSelf == self, optionalOldSelf: false}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: oldSelf.orValue('') == self, optionalOldSelf: true}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: oldSelf == self, optionalOldSelf: true}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: self == '', messageExpression: oldSelf}]}`,
	`{type: string, maxLength: 9, x-kubernetes-validations: [{rule: self ==, optionalOldSelf: true}]}`,
	// Cost.
	`{type: string, x-kubernetes-validations: [{rule: "self.contains(self)"}]}`,
	`{type: string, maxLength: 99, x-kubernetes-validations: [{rule: "self.contains(self)"}]}`,
	`{type: string, maxLength: -1, x-kubernetes-validations: [{rule: "self.contains(self)"}]}`,
	`{type: string, enum: [abc, d], x-kubernetes-validations: [{rule: "self.contains(self)"}]}`,
	`{type: array, maxItems: 5000000, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self != 'a'}]}}`,
	`{type: array, maxItems: 5000001, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self != 'a'}]}}`,
	`{type: array, maxItems: 9000001, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self != 'a'}]}}`,
	`{type: array, items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self != 'a'}]}}`,
	`{type: array, items: {type: array, maxItems: 2, items: {type: string, x-kubernetes-validations: [{rule: self.matches('a+')}]}}}`,
	`{type: object, additionalProperties: {type: string, x-kubernetes-validations: [{rule: self.matches('a+')}]}}`,
	`{type: object, maxProperties: 3, additionalProperties: {type: string, maxLength: 10, x-kubernetes-validations: [{rule: self.matches('a+')}]}}`,
	`{type: array, items: {type: integer}, x-kubernetes-validations: [{rule: "self.all(x, self.all(y, x + y > 0))"}]}`,
	`{type: array, maxItems: 100, items: {type: integer}, x-kubernetes-validations: [{rule: "self.all(x, self.all(y, x + y > 0))"}]}`,
	`{type: array, maxItems: 800, items: {type: integer}, x-kubernetes-validations: [{rule: "self.all(x, self.all(y, x + y > 0))"}, {rule: "self.all(x, self.all(y, x + y > 1 && x > y))"}]}`,
	`{type: array, maxItems: 1290, items: {type: integer}, x-kubernetes-validations: [{rule: "self.all(x, self.all(y, x + y > 0))"}]}`,
	`{type: array, maxItems: 1600, items: {type: integer}, x-kubernetes-validations: [{rule: "self.all(x, self.all(y, x + y > 0))"}]}`,
	`{type: array, items: {type: string}, x-kubernetes-validations: [{rule: 'true', messageExpression: "self.join('')"}]}`,
	`{type: object, x-kubernetes-validations: [{rule: 'self.b.all(x, self.c.all(y, x == y))'}], properties: {b: {type: array, items: {type: string}}, c: {type: array, items: {type: object, properties: {d: {type: string}}, required: [d]}}}}`,
	// What the tests of package rules have numbers for.
	`{type: array, items: {type: number}, x-kubernetes-validations: [{rule: "self.all(x, true)"}]}`,
	`{type: array, items: {type: string}, x-kubernetes-validations: [{rule: "self.all(x, true)"}]}`,
	`{type: array, items: {type: boolean}, x-kubernetes-validations: [{rule: "self.all(x, true)"}]}`,
	`{type: array, maxItems: 10, items: {type: number}, x-kubernetes-validations: [{rule: "self.all(x, true)"}]}`,
	`{type: array, maxItems: -1, items: {type: number}, x-kubernetes-validations: [{rule: "self.all(x, true)"}]}`,
	`{type: object, additionalProperties: {type: number}, x-kubernetes-validations: [{rule: "self.all(x, true)"}]}`,
	`{type: object, maxProperties: 10, additionalProperties: {type: number}, x-kubernetes-validations: [{rule: "self.all(x, true)"}]}`,
	`{type: string, x-kubernetes-validations: [{rule: "self.contains('test')"}]}`,
	`{type: string, maxLength: 10, x-kubernetes-validations: [{rule: "self.contains('test')"}]}`,
	`{type: string, enum: [abc, defghijklmno], x-kubernetes-validations: [{rule: "self.matches('a')"}]}`,
	`{type: string, format: byte, maxLength: 100, x-kubernetes-validations: [{rule: "self == b'a'"}]}`,
	`{type: string, format: duration, x-kubernetes-validations: [{rule: "self == duration('1s')"}]}`,
	`{x-kubernetes-int-or-string: true, maxLength: 10, x-kubernetes-validations: [{rule: "self.matches('a')"}]}`,
	`{type: array, items: {type: object, required: [name], properties: {name: {type: string}}}, x-kubernetes-validations: [{rule: "self.all(x, true)"}]}`,
	`{type: array, maxItems: 10, items: {type: string, maxLength: 10}, x-kubernetes-validations: [{rule: "self.isSorted()"}]}`,
	`{type: array, maxItems: 10, items: {type: string, maxLength: 10}, x-kubernetes-validations: [{rule: "self.join(',').matches('a')"}]}`,
	`{type: string, maxLength: 10, x-kubernetes-validations: [{rule: "self.replace('a', 'bbb').matches('a')"}]}`,
	`{type: string, maxLength: 10, x-kubernetes-validations: [{rule: "self.split(',', 3).all(x, x == 'a')"}]}`,
	`{type: string, maxLength: 10, x-kubernetes-validations: [{rule: "self.find('[0-9]+') == ''"}]}`,
	`{type: string, maxLength: 10, x-kubernetes-validations: [{rule: "cidr(self).containsIP(self) && cidr(self).containsCIDR(self)"}]}`,
	`{type: string, maxLength: 10, x-kubernetes-validations: [{rule: "ip(self) == ip(self) && quantity(self) == quantity(self)"}]}`,
	`{type: string, maxLength: 10, x-kubernetes-validations: [{rule: "url(self) == url(self) && format.uuid() == format.uri()"}]}`,
	`{type: string, maxLength: 10, x-kubernetes-validations: [{rule: "format.uuid().validate(self).hasValue()"}]}`,
	`{type: string, maxLength: 10, x-kubernetes-validations: [{rule: "dyn(self).path('a').check('b').allowed()"}]}`,
}

// expressionsAboutS are rules about an object with fields of many types, one for each function and sizing of the estimator.
var expressionsAboutS = []string{
	"self.s.size() > 1", "self.s.startsWith(self.t)", "self.s.endsWith(self.t)", "self.s.contains(self.t)", "self.s.matches(self.t)", "self.s.matches('a+b')",
	"self.s.find('a+') == self.t", "self.s.find(self.t) == 'a'", "self.s.findAll('a')[0] == 'a'", "self.s.findAll('a', 2).all(x, x == 'a')",
	"self.s.charAt(1) == 'a'", "self.s.indexOf('a') == 1", "self.s.indexOf('a', 2) == 1", "self.s.lastIndexOf('a') == 1", "self.s.lowerAscii() == self.t",
	"self.s.upperAscii().matches('a')", "self.s.replace('a', 'bb').matches('c')", "self.s.replace('', 'bb').matches('c')", "self.s.replace('aa', self.t, 2).matches('c')",
	"self.s.replace(self.t, '').size() > 1", "self.s.split(',').all(x, x.matches('a'))", "self.s.split(',', 3).all(x, x == 'a')", "self.s.substring(1).matches('a')",
	"self.s.substring(1, 3).matches('a')", "self.s.trim().matches('a')", "strings.quote(self.s) == 'a'", "'%s'.format([self.s]).matches('a')", "self.ls.join(',').matches('a')",
	"self.ls.join().matches('a')", "(self.s + self.t).matches('a')", "self.s < self.t", "self.s == self.t", "self.s != self.t", "self.s in self.ls", "self.s in ['a', 'b']",
	"self.s in self.m", "self.m[self.s] == 'a'", "self.m.all(k, k.matches('a'))", "self.m.exists(k, self.m[k].matches('a'))", "self.m.size() > 1", "self.m == self.m",
	"self.ls == self.ls", "self.ls + self.ls == self.ls", "(self.ls + self.ls).all(x, x.matches('a'))", "self.ls.isSorted()", "self.li.isSorted()", "self.li.sum() == 1", "self.li.max() == 1",
	"self.ls.max() == 'a'", "self.ls.min() == 'a'", "self.ls.indexOf('a') == 1", "self.ls.lastIndexOf('a') == 1", "self.lo.indexOf(self.lo[0]) == 1", "self.ls.slice(0, 2).all(x, x.matches('a'))", "self.ls.reverse() == self.ls",
	"self.ls.sort() == self.ls", "self.ls.distinct().all(x, x.matches('a'))", "self.lo.sortBy(x, x.a)[0].a == 'a'", "[self.ls, self.ls].flatten().all(x, x.matches('a'))", "lists.range(10).all(x, x > 1)", "self.ls.first().orValue('') == 'a'",
	"sets.contains(self.ls, ['a'])", "sets.equivalent(self.ls, self.ls)", "sets.intersects(self.ls, self.ls)", "self.ls.filter(x, x.matches('a')).size() > 0", "self.ls.map(x, x + 'a').all(x, x.matches('a'))",
	"self.ls.map(x, x > 'a', x + 'a').exists(x, x.matches('a'))", "self.ls.exists_one(x, x.matches('a'))", "self.ls.all(i, x, i > 1 && x.matches('a'))", "self.m.transformList(k, v, k + v).all(x, x.matches('a'))", "self.m.transformMap(k, v, v + 'a').all(k, k == 'a')",
	"self.m.transformMapEntry(k, v, {v: k}).size() > 1", "self.ls.existsOne(i, x, x == 'a')", "url(self.s).getScheme() == 'a'", "url(self.s).getHost().matches('a')", "url(self.s).getHostname() == ''", "url(self.s).getPort() == ''", "url(self.s).getEscapedPath() == ''",
	"url(self.s).getQuery() == {}", "url(self.s).getQuery()['a'].all(x, x.matches('a'))", "isURL(self.s)", "url(self.s) == url(self.t)", "ip(self.s) == ip(self.t)", "ip(self.s).family() == 4", "isIP(self.s)", "ip.isCanonical(self.s)", "string(ip(self.s)) == self.t",
	"ip(self.s).isLoopback() && ip(self.s).isUnspecified() && ip(self.s).isLinkLocalMulticast() && ip(self.s).isLinkLocalUnicast() && ip(self.s).isGlobalUnicast()", "cidr(self.s) == cidr(self.t)", "isCIDR(self.s)", "string(cidr(self.s)) == ''",
	"cidr(self.s).containsIP(self.t)", "cidr(self.s).containsIP(ip(self.t))", "cidr(self.s).containsCIDR(self.t)", "cidr(self.s).containsCIDR(cidr(self.t))", "cidr(self.s).ip() == ip(self.t)", "cidr(self.s).masked().prefixLength() == 3",
	"quantity(self.s).isGreaterThan(quantity(self.t))", "quantity(self.s) == quantity(self.t)", "isQuantity(self.s)", "quantity(self.s).add(quantity(self.t)).sub(1).compareTo(quantity('1')) == sign(quantity(self.s))", "quantity(self.s).asInteger() == 1 && quantity(self.s).isInteger() && quantity(self.s).asApproximateFloat() > 1.5",
	"quantity(self.s).add(1).isLessThan(quantity('1'))", "quantity(self.s).sign() == 1", "semver(self.s) == semver(self.t, true)", "isSemver(self.s) && isSemver(self.s, true)", "semver(self.s).isLessThan(semver(self.t)) || semver(self.s).isGreaterThan(semver('1.0.0'))",
	"semver(self.s).compareTo(semver('1.0.0')) == semver(self.s).major() + semver(self.s).minor() + semver(self.s).patch()", "format.dns1123Label().validate(self.s).hasValue()", "format.named('uri').value().validate(self.s).value() == ['a']", "format.named(self.s) == format.named(self.t)",
	"format.uuid() == format.byte()", "format.none().validate(self.s).hasValue()", "self.d < duration('1h')", "self.d.getSeconds() > 1", "self.w > timestamp('2020-01-01T00:00:00Z')", "self.w - self.w < self.d", "self.w.getHours('UTC') > 1", "self.by == b'a'", "self.by.size() > 1",
	"string(self.by) == 'a'", "bytes(self.s) == self.by", "int(self.s) > 1", "double(self.s) > 1.5", "string(self.i) == 'a'", "type(self.ios) == int", "self.ios == 5", "self.ios.size() > 3", "self.ios.matches('a')", "int(self.ios) > 3", "self.i / 2 % 3 - 1 * 4 > -self.i", "self.n * 1.5 > 2.0",
	"self.b && !self.b || (self.b ? self.b : !self.b)", "has(self.o.s) && self.o.s == self.s", "self.?o.?s.orValue('a') == 'b'", "self.?m[?'a'].hasValue()", "self.ls[?0].optMap(x, x.matches('a')).orValue(false)", "self.ls[?0].optFlatMap(x, optional.of(x)).or(optional.of('a')).value() == 'a'",
	"self.o == self.o", "self.o in self.lo", "self.lo.exists(x, x == self.o)", "self.lo.all(x, self.lo.all(y, x.a == y.a))", "self == oldSelf", "self.s == oldSelf.s", "oldSelf.ls.all(x, x in self.ls)", "{'a': self.s}['a'].matches('b')", "[self.s].all(x, x.matches('a'))", "{self.s: 1}.all(k, k.matches('a'))",
	"(self.b ? self.s : self.t).matches('a')", "(self.b ? self.ls : []).all(x, x.matches('a'))", "self.e.matches('a')", "self.e in ['a', 'b'] && self.e == self.s", "dyn(self.s).matches('a')", "dyn(self.ls).all(x, x == 'a')", "self.map(x, true)", "self.lo.map(x, x.a).join(',') == ''", "self.ls.sum()", "self.m.sum() == 1",
	"self.s.isSorted()", "[1, 2].includes(self.i)", "self.s.reverse() == ''", "regex.replace(self.s, 'a', 'b') == ''", "base64.encode(b'a') == ''", "self.s.format(['a']) == ''", "self.s.format(self.ls) == ''", "'%f %e %b %x %o %s'.format([1.5, 1.5, 1, 1, 1, self.o]) == ''", "'%q'.format([1]) == ''",
}

// aboutS is the schema that those are about, with limits and without.
const aboutS = `{type: object, x-kubernetes-validations: [{rule: RULE}], properties: {
 s: {type: string LENGTH}, t: {type: string LENGTH}, e: {type: string, enum: [abc, defg]}, ls: {type: array ITEMS, items: {type: string LENGTH}}, li: {type: array ITEMS, items: {type: integer}},
 m: {type: object PROPERTIES, additionalProperties: {type: string LENGTH}}, o: {type: object, properties: {a: {type: string LENGTH}, s: {type: string LENGTH}}},
 lo: {type: array ITEMS, items: {type: object, required: [a], properties: {a: {type: string LENGTH}, s: {type: string LENGTH}}}},
 d: {type: string, format: duration}, w: {type: string, format: date-time}, by: {type: string, format: byte LENGTH}, i: {type: integer}, n: {type: number}, b: {type: boolean}, ios: {x-kubernetes-int-or-string: true LENGTH}}}`

// TestRulesAreRefusedForTheSameReasons compares every text about rules.
func TestRulesAreRefusedForTheSameReasons(t *testing.T) {
	t.Parallel()
	taken, refused := 0, 0
	compare := func(schema string) {
		var s Object
		if err := yaml.Unmarshal([]byte("{type: object, properties: {a: "+schema+"}}"), &s); err != nil {
			t.Fatalf("%v\n%s", err, schema)
		}
		if compareVerdict(t, schema, crdOf(t, "v1", s, nil)) {
			taken++
		} else {
			refused++
		}
		if testsize.All() {
			compareVerdict(t, schema+", v1beta1", crdOf(t, "v1beta1", s, nil))
		}
	}
	for _, s := range ruleSchemas {
		compare(s)
	}
	for _, e := range expressionsAboutS {
		schema := strings.ReplaceAll(aboutS, "RULE", fmt.Sprintf("%q", e))
		compare(strings.NewReplacer(" LENGTH", "", " ITEMS", "", " PROPERTIES", "").Replace(schema))
		compare(strings.NewReplacer(" LENGTH", ", maxLength: 20", " ITEMS", ", maxItems: 10", " PROPERTIES", ", maxProperties: 10").Replace(schema))
	}
	t.Logf("%d taken, %d refused", taken, refused)
	if taken < 100 || refused < 100 {
		t.Errorf("only %d CRDs are taken and %d refused", taken, refused)
	}
}

// TestRulesOfRootsAreRefusedForTheSameReasons has rules at the root, where metadata is visible.
func TestRulesOfRootsAreRefusedForTheSameReasons(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{type: object, x-kubernetes-validations: [{rule: "self.metadata.name.startsWith('a') && self.kind == 'b'"}]}`,
		`{type: object, x-kubernetes-validations: [{rule: "self.metadata.name.matches('a+') && self.apiVersion.matches('a+')"}]}`,
		`{type: object, x-kubernetes-validations: [{rule: "self.metadata.labels.size() > 0"}]}`,
		`{type: object, x-kubernetes-validations: [{rule: "self.metadata.name == self.metadata.generateName"}], properties: {metadata: {type: object, properties: {name: {type: string, maxLength: 5}}}}}`,
		`{type: object, x-kubernetes-validations: [{rule: "true"}], properties: {metadata: {type: object, properties: {name: {type: string, maxLength: 5, x-kubernetes-validations: [{rule: "self == 'a'"}]}}}}}`,
		`{type: object, properties: {metadata: {type: object, x-kubernetes-validations: [{rule: "has(self.generateName)"}], properties: {name: {type: string, maxLength: 5}}}}}`,
		`{type: object, x-kubernetes-validations: [{rule: "true"}], properties: {metadata: {type: object, x-kubernetes-validations: [{rule: "has(self.generateName)"}], properties: {name: {type: string, maxLength: 5}}}}}`,
		`{type: object, x-kubernetes-validations: [{rule: "self.spec == self.status"}], properties: {spec: {type: object, properties: {a: {type: string}}}, status: {type: object, properties: {a: {type: string}}}}}`,
		`{type: object, properties: {spec: {type: string, maxLength: 5, default: a, x-kubernetes-validations: [{rule: "self == 'a'"}]}}}`,
		`{type: object, properties: {spec: {type: string, maxLength: 5, default: 1, x-kubernetes-validations: [{rule: "self == 1"}]}}}`,
		`{type: object, nullable: true, properties: {spec: {type: string, maxLength: 5, x-kubernetes-validations: [{rule: "self == 1"}]}}}`,
		`{type: object, x-kubernetes-validations: [{rule: "a"}, {rule: "b"}, {rule: "c", messageExpression: d}, {rule: "true", messageExpression: e}]}`,
	} {
		var s Object
		if err := yaml.Unmarshal([]byte(schema), &s); err != nil {
			t.Fatalf("%v\n%s", err, schema)
		}
		compareVerdict(t, schema, crdOf(t, "v1", s, nil))
		compareVerdict(t, schema+", v1beta1", crdOf(t, "v1beta1", s, nil))
	}
}
