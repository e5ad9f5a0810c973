package serve

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/runtime/serializer/versioning"

	"github.com/prune-gen/prune-gen/examples/apiserver/kube"
)

// negotiator chooses how bodies are read and answers are written. Request bodies meet generated code here.
type negotiator struct {
	codec     *kube.Codec
	converter runtime.ObjectConvertor
	types     []runtime.SerializerInfo
}

func newNegotiator(codec *kube.Codec, converter runtime.ObjectConvertor, typer runtime.ObjectTyper) negotiator {
	serializer := func(opts json.SerializerOptions) *json.Serializer {
		return json.NewSerializerWithOptions(json.DefaultMetaFactory, creator{}, typer, opts)
	}
	return negotiator{codec, converter, []runtime.SerializerInfo{{
		MediaType:        runtime.ContentTypeJSON,
		MediaTypeType:    "application",
		MediaTypeSubType: "json",
		EncodesAsText:    true,
		Serializer:       serializer(json.SerializerOptions{StreamingCollectionsEncoding: true}),
		PrettySerializer: serializer(json.SerializerOptions{Pretty: true}),
		StrictSerializer: serializer(json.SerializerOptions{Strict: true, StreamingCollectionsEncoding: true}),
		StreamSerializer: &runtime.StreamSerializerInfo{EncodesAsText: true, Serializer: serializer(json.SerializerOptions{}), Framer: json.Framer},
	}, {
		MediaType:        runtime.ContentTypeYAML,
		MediaTypeType:    "application",
		MediaTypeSubType: "yaml",
		EncodesAsText:    true,
		Serializer:       serializer(json.SerializerOptions{Yaml: true}),
		StrictSerializer: serializer(json.SerializerOptions{Yaml: true, Strict: true}),
	}, {
		// Objects have no such form, but tables and statuses do.
		MediaType:        runtime.ContentTypeProtobuf,
		MediaTypeType:    "application",
		MediaTypeSubType: "vnd.kubernetes.protobuf",
		Serializer:       protobuf.NewSerializerWithOptions(creator{}, typer, protobuf.SerializerOptions{StreamingCollectionsEncoding: true}),
		StreamSerializer: &runtime.StreamSerializerInfo{Serializer: protobuf.NewRawSerializer(creator{}, typer), Framer: protobuf.LengthDelimitedFramer},
	}}}
}

func (n negotiator) SupportedMediaTypes() []runtime.SerializerInfo { return n.types }

// standard returns the forms that objects have.
func (n negotiator) standard() []runtime.SerializerInfo { return n.types[:2] }

func (n negotiator) EncoderForVersion(encoder runtime.Encoder, gv runtime.GroupVersioner) runtime.Encoder {
	return versioning.NewCodec(encoder, nil, n.converter, scheme, scheme, scheme, gv, nil, "linked resources")
}

// DecoderToVersion returns a decoder for request bodies. The library asks for the strict serializer when it wants to hear of
// unknown fields.
func (n negotiator) DecoderToVersion(decoder runtime.Decoder, gv runtime.GroupVersioner) runtime.Decoder {
	s, ok := decoder.(*json.Serializer)
	decode := n.codec.Decoder
	if decoder == n.types[0].Serializer || decoder == n.types[0].StrictSerializer {
		decode = n.codec.JSONDecoder
	}
	normalizing := decode(decoder, kube.StepRequest, ok && s.IsStrict())
	return versioning.NewCodec(nil, normalizing, runtime.UnsafeObjectConvertor(scheme), scheme, scheme, nil, nil, gv, "linked resources")
}
