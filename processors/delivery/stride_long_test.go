//go:build long

package delivery_test

const stride = 1

const modelSeeds = 60
