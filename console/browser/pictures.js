// Pictures of the pages, wide and narrow, into the folder of FOLIO_CONSOLE_PICTURES.
const path = require('path')
const { within, login, open, pages, wide, narrow, settings } = require('./browser')

module.exports = async () => {
  for (const [viewport, colorScheme] of [[wide, 'light'], [narrow, 'light'], [wide, 'dark']]) {
    await within({ viewport, colorScheme, deviceScaleFactor: 2 }, async (page) => {
      await login(page)
      for (const [name, at] of Object.entries(pages(settings))) {
        await open(page, at)
        const look = (viewport === wide ? 'wide' : 'narrow') + (colorScheme === 'dark' ? '-dark' : '')
        const file = `console-${name}-${look}.png`
        await page.screenshot({ path: path.join(process.env.FOLIO_CONSOLE_PICTURES, file) })
      }
    })
  }
}
