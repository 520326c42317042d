package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// Docs/operating/flags.md has every flag of serve once, with its default and a reason.
func TestEveryFlagIsInTheHandbook(t *testing.T) {
	var c cli
	parser, err := newParser(t.Context(), &c)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../docs/operating/flags.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `--([a-z-]+)` \\| (?:`([^`]*)`)? ?\\| (.*) \\|$").
		FindAllStringSubmatch(string(text), -1) {
		if _, twice := told[m[1]]; twice || strings.TrimSpace(m[3]) == "" {
			t.Errorf("--%s is there twice, or without a reason", m[1])
		}
		told[m[1]] = m[2]
	}
	serve := parser.Model.Children[slices.IndexFunc(parser.Model.Children, func(n *kong.Node) bool {
		return n.Name == "serve"
	})]
	for _, f := range serve.Flags {
		if f.Name == "help" {
			continue
		}
		was, is := told[f.Name]
		if delete(told, f.Name); !is || was != f.Default {
			t.Errorf("--%s: the handbook says %q (%t), the program %q", f.Name, was, is, f.Default)
		}
	}
	for name := range told {
		t.Errorf("--%s is in the handbook and not in the program", name)
	}
}

func TestEveryCommandDoesSomething(t *testing.T) {
	var c cli
	parser, err := newParser(t.Context(), &c)
	if err != nil {
		t.Fatal(err)
	}
	commands := parser.Model.Leaves(false)
	if len(commands) < 50 {
		t.Errorf("only %d commands", len(commands))
	}
	for _, command := range commands {
		if runOf(t.Context(), command) == nil {
			t.Error(command.Path(), "does nothing")
		}
	}
}
