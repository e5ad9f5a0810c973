//go:build !purego

#include "textflag.h"

// CLASSIFY loads 16 bytes into x and sets them to zero where they are stops, and only there. Stops are backslashes, of which X10
// consists, and bytes that are at most X9 after they are flipped by X8.
#define CLASSIFY(offset, x, y) \
	MOVOU   offset(DI), x \
	MOVO    x, y          \
	PXOR    X8, x         \
	PSUBUSB X9, x         \
	PXOR    X10, y        \
	PMINUB  y, x

// func findBlock(from *Window, stop stops) (offset int, marks uint64)
TEXT ·findBlock(SB), NOSPLIT, $0-32
	MOVQ       from+0(FP), SI
	MOVQ       stop+8(FP), X8
	MOVQ       $0x2222222222222222, AX // quotes
	MOVQ       AX, X9
	PXOR       X8, X9
	MOVQ       $0x5c5c5c5c5c5c5c5c, AX // backslashes
	MOVQ       AX, X10
	PUNPCKLQDQ X8, X8
	PUNPCKLQDQ X9, X9
	PUNPCKLQDQ X10, X10
	PXOR       X11, X11
	MOVQ       SI, DI

next:
	CLASSIFY(0, X0, X4)
	CLASSIFY(16, X1, X5)
	CLASSIFY(32, X2, X6)
	CLASSIFY(48, X3, X7)
	MOVO     X0, X4
	PMINUB   X1, X4
	PMINUB   X2, X4
	PMINUB   X3, X4
	PCMPEQB  X11, X4
	PMOVMSKB X4, AX
	TESTL    AX, AX
	JNZ      found
	ADDQ     $64, DI
	JMP      next

found: // Collect one bit for each of the 64 bytes.
	PCMPEQB  X11, X0
	PCMPEQB  X11, X1
	PCMPEQB  X11, X2
	PCMPEQB  X11, X3
	PMOVMSKB X0, AX
	PMOVMSKB X1, BX
	PMOVMSKB X2, CX
	PMOVMSKB X3, DX
	SHLQ     $16, BX
	SHLQ     $32, CX
	SHLQ     $48, DX
	ORQ      BX, AX
	ORQ      DX, CX
	ORQ      CX, AX
	SUBQ     SI, DI
	MOVQ     DI, offset+16(FP)
	MOVQ     AX, marks+24(FP)
	RET
