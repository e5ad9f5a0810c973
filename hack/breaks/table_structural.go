package main

var structuralBreaks []Break
