//go:build !long

package delivery_test

// stride is how many steps the crash test passes over; the long one takes every one.
const stride = 3

// modelSeeds is how many lives of an integrator are tried.
const modelSeeds = 6
