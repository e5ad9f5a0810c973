# An image with nothing but a release of prune-gen, which is static. After make dist:
#
#	docker buildx build --platform linux/amd64,linux/arm64 --build-arg VERSION=0.1.0 .
FROM scratch
ARG VERSION
ARG TARGETARCH
ADD dist/prune-gen_${VERSION}_linux_${TARGETARCH}.tar.gz /
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/prune-gen"]
