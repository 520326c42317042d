// Every page, wide and narrow, light and dark, without a finding of axe.
const fs = require('fs')
const { within, login, open, pages, wide, narrow, settings } = require('./browser')

const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

async function look (page, name, findings) {
  const found = await page.evaluate(`${axe}; axe.run(document)`)
  for (const v of found.violations) {
    findings.push(`${name}: ${v.impact} ${v.id}: ${v.nodes.map((n) => n.target).slice(0, 3).join(', ')}`)
  }
}

module.exports = async () => {
  const findings = []
  for (const [viewport, colorScheme] of [[wide, 'light'], [narrow, 'light'], [wide, 'dark']]) {
    await within({ viewport, colorScheme }, async (page) => {
      const where = `${viewport.width} ${colorScheme}`
      await open(page, '/login')
      await look(page, `login ${where}`, findings)
      await login(page)
      for (const [name, path] of Object.entries(pages(settings))) {
        await open(page, path)
        await page.evaluate(() => { for (const d of document.querySelectorAll('details')) d.open = true })
        await look(page, `${name} ${where}`, findings)
      }
      await open(page, `/c/${settings.company}/invoices/new`)
      await page.click('button[name=_issue]') // with its faults
      await page.waitForSelector('.notice.bad')
      await look(page, `refused ${where}`, findings)
    })
  }
  if (findings.length > 0) throw new Error(findings.join('\n'))
}
