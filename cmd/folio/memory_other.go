//go:build !linux

package main

func dropProgram() {}
