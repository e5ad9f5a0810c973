//go:build !purego

#include "textflag.h"

// CLASSIFY sets one bit in each byte of x that is a stop, and clears everything else. Stops are backslashes, of which V18 consists,
// and bytes that are at most V17 after they are flipped by V16. V19 has the bits: in each eight bytes, bit n is that of byte n.
#define CLASSIFY(x, y) \
	VEOR  V16.B16, x, y       \
	VUMIN V17.B16, y, V20.B16 \
	VCMEQ V20.B16, y, y       \
	VCMEQ V18.B16, x, x       \
	VORR  y, x, x             \
	VAND  V19.B16, x, x

// func findBlock(from *Window, stop stops) (offset int, marks uint64)
TEXT ·findBlock(SB), NOSPLIT, $0-32
	MOVD from+0(FP), R0
	MOVD stop+8(FP), R1
	MOVD $0x22, R2               // a quote
	EOR  R1, R2
	MOVD $0x5c, R3               // a backslash
	MOVD $0x8040201008040201, R4
	VDUP R1, V16.B16
	VDUP R2, V17.B16
	VDUP R3, V18.B16
	VDUP R4, V19.D2
	MOVD R0, R5

next:
	VLD1.P 64(R5), [V0.B16, V1.B16, V2.B16, V3.B16]
	CLASSIFY(V0.B16, V4.B16)
	CLASSIFY(V1.B16, V5.B16)
	CLASSIFY(V2.B16, V6.B16)
	CLASSIFY(V3.B16, V7.B16)

	// Add neighbours until each eight bytes are one, and the 64 bytes are 64 bits.
	VADDP V1.B16, V0.B16, V0.B16
	VADDP V3.B16, V2.B16, V2.B16
	VADDP V2.B16, V0.B16, V0.B16
	VADDP V0.B16, V0.B16, V0.B16
	VMOV  V0.D[0], R6
	CBZ   R6, next

	SUB  $64, R5
	SUB  R0, R5
	MOVD R5, offset+16(FP)
	MOVD R6, marks+24(FP)
	RET
