package main

var commandBreaks []Break
