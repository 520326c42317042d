// One picture for the README: an invoice, into the file of FOLIO_CONSOLE_PICTURE.
const { within, login, open, pages, settings } = require('./browser')

module.exports = () => within({ viewport: { width: 1180, height: 820 }, colorScheme: 'light' }, async (page) => {
  await login(page)
  await open(page, pages(settings).invoice)
  await page.screenshot({ path: process.env.FOLIO_CONSOLE_PICTURE })
})
