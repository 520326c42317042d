// Every page fits a phone: nothing is wider than the screen, what is touched is large enough,
// and tables are cards.
const { within, login, open, pages, narrow, settings, check } = require('./browser')

module.exports = () => within({ viewport: narrow, hasTouch: true, isMobile: true }, async (page) => {
  await login(page)
  for (const [name, path] of Object.entries(pages(settings))) {
    await open(page, path)
    const seen = await page.evaluate(() => {
      const small = []
      for (const e of document.querySelectorAll('button, input:not([type=hidden]), select, .button, nav a')) {
        const r = e.getBoundingClientRect()
        if (!e.classList.contains('sr') && r.width > 0 && (r.height < 24 || r.width < 17)) small.push(e.outerHTML)
      }
      const cell = document.querySelector('.rows td')
      const wide = document.documentElement.scrollWidth - window.innerWidth
      return { wide, small, cell: cell && getComputedStyle(cell).display }
    })
    check(seen.wide <= 0, `${name} is ${seen.wide} pixels wider than the screen`)
    const small = seen.small.filter((s) => !s.includes('type="checkbox"')) // its label is the target
    check(small.length === 0, `${name} has what is too small to touch: ${small}`)
    check(seen.cell === null || seen.cell === 'block', `the table of ${name} is no list of cards`)
  }
})
