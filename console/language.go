package console

import (
	"embed"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"golang.org/x/text/language"
)

// languages are those of the console, the first one where a person asks for none of them.
var languages = []string{"en", "es"}

var matcher = language.NewMatcher([]language.Tag{language.English, language.Spanish})

// languageOf is what the person chose, or what the browser asks for.
func languageOf(r *http.Request) string {
	chosen := cookie(r, languageCookie)
	for _, l := range languages {
		if l == chosen {
			return l
		}
	}
	_, i := language.MatchStrings(matcher, r.Header.Get("Accept-Language"))
	return languages[i]
}

// chooseLanguage keeps the choice for a year and goes back.
func (s *console) chooseLanguage(w http.ResponseWriter, r *http.Request) {
	v := s.visit(w, r)
	for _, l := range languages {
		if l == r.FormValue("to") {
			s.setCookie(w, r, languageCookie, l, 365*24*time.Hour)
		}
	}
	back := r.FormValue("back")
	if strings.HasPrefix(back, Path+"/login") {
		v.redirect("/login")
		return
	}
	v.redirect(localPath(back))
}

//go:embed words/es.json
var wordFiles embed.FS

// spanish has the Spanish of each English text of the templates.
var spanish = func() map[string]string {
	b, err := wordFiles.ReadFile("words/es.json")
	if err != nil {
		panic(err)
	}
	out := map[string]string{}
	if err := json.Unmarshal(b, &out); err != nil {
		panic("console/words/es.json: " + err.Error())
	}
	return out
}()

// say is a text of the console in a language.
func say(language, text string) string {
	if language == "es" {
		if s, ok := spanish[text]; ok {
			return s
		}
	}
	return text
}
