package main

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/alecthomas/kong"

	"folio/strict"
)

// envPrefix begins the variable of every flag.
const envPrefix = "FOLIO_"

// misspelling is a variable that sets nothing, and the one that it was probably meant to be.
type misspelling struct{ variable, meant string }

// misspelt are the variables that no flag of any command has and that are a letter or two away from one of this
// command. What is near none is somebody else's: the secret of a client, the address of a test.
func misspelt(command *kong.Context, environ []string) (found []misspelling) {
	taken := map[string]bool{}
	for _, node := range command.Model.Leaves(false) {
		for _, name := range variables(node) {
			taken[name] = true
		}
	}
	var known []string
	for _, name := range variables(command.Selected()) {
		known = append(known, strings.TrimPrefix(name, envPrefix))
	}
	for _, entry := range environ {
		variable, _, _ := strings.Cut(entry, "=")
		name, ours := strings.CutPrefix(variable, envPrefix)
		if !ours || taken[variable] {
			continue
		}
		if meant := strict.Nearest(name, known); meant != "" {
			found = append(found, misspelling{variable, envPrefix + meant})
		}
	}
	return found
}

// variables are those of a command's flags.
func variables(command *kong.Node) (names []string) {
	for _, group := range command.AllFlags(false) {
		for _, f := range group {
			names = append(names, f.Envs...)
		}
	}
	return names
}

// warnOfMisspelt says which variables set nothing; whoever gave one believes that it does.
func warnOfMisspelt(found []misspelling, logger *slog.Logger) {
	for _, m := range found {
		logger.Warn("a variable of the environment sets nothing: no flag has this name", "variable", m.variable,
			"did_you_mean", m.meant)
	}
}

// hinted is a refusal of the parser with what to say instead, where the command knows it.
func hinted(err error) error {
	var refused *kong.ParseError
	if !errors.As(err, &refused) || refused.Context.Selected() == nil {
		return err
	}
	command, knows := refused.Context.Selected().Target.Addr().Interface().(interface{ hint(string) string })
	word, unexpected := strings.CutPrefix(err.Error(), "unexpected argument ")
	if !knows || !unexpected {
		return err
	}
	return fmt.Errorf("%w: %s", err, command.hint(word))
}
