// What the reader's own styles have no way in for: its licence stands left of the text, and who may call an operation
// is cut on a narrow screen.
customElements.whenDefined('rapi-doc').then(() => {
  const own = new CSSStyleSheet()
  own.replaceSync('#api-info { margin-left: 0 !important } ' +
    '.expanded-endpoint-body > div[style*="absolute"] > div { min-width: 0 !important; max-width: 100% !important }')
  const root = document.querySelector('rapi-doc').shadowRoot
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, own]
})
