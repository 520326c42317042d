// node walk.js axe|keyboard|phone|noscript|webhooks|docs|pictures|picture, with FOLIO_CONSOLE_WALK as browser.js reads it.
require('./' + process.argv[2])().catch((e) => {
  console.error(e)
  process.exit(1)
})
