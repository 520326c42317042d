// The API's page shows every operation of its document and asks no other host; a code's page is
// in the language of its reader.
const path = require('path')
const { within, settings, check } = require('./browser')

const text = (page) => page.evaluate(() => document.querySelector('rapi-doc')?.shadowRoot?.textContent ?? '')

const shows = (page, what) => page.waitForFunction(
  (what) => document.querySelector('rapi-doc')?.shadowRoot?.textContent.includes(what), what)

module.exports = async () => {
  await within({}, async (page) => {
    page.on('request', (r) => {
      const own = r.url().startsWith(settings.base) || r.url().startsWith('data:')
      check(own, `it asks ${r.url()}`)
    })
    await page.goto(settings.base + '/docs')
    await shows(page, 'Issue an invoice')
    const document = await (await page.request.get(settings.base + '/openapi.json')).json()
    const shown = await text(page)
    for (const operations of Object.values(document.paths)) {
      for (const operation of Object.values(operations)) {
        check(shown.includes(operation.summary), `the page lacks "${operation.summary}"`)
      }
    }
    await page.goto(settings.base + '/docs#post-/api/invoices')
    await shows(page, 'Idempotency-Key')
    if (process.env.FOLIO_CONSOLE_PICTURES) {
      await page.screenshot({ path: path.join(process.env.FOLIO_CONSOLE_PICTURES, 'docs.png') })
    }
  })
  await within({ viewport: { width: 390, height: 844 } }, async (page) => {
    await page.goto(settings.base + '/docs')
    await page.click('.index a:has-text("Issue an invoice")')
    await shows(page, 'Idempotency-Key')
    await page.click('header a:has-text("All operations")')
    await page.waitForSelector('.index a:visible')
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    check(over <= 0, `the page is ${over} px wider than a phone`)
  })
  await within({ locale: 'es-AR' }, async (page) => {
    await page.goto(settings.base + '/docs/errors/INVOICE_NOT_FOUND')
    check((await page.textContent('h2')) === 'Qué significa', 'the page of a code is not in Spanish')
  })
}
