package main

import "context"

func (r *run) npm(context.Context, string) ([]row, error) { return nil, nil }
