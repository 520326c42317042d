// What all walks through the console share: the browser, the log-in and the pages.
const { chromium } = require('playwright-core')

const settings = JSON.parse(process.env.FOLIO_CONSOLE_WALK) // base, email, password, company

// pages are all of them that a company with a document has.
const pages = (s) => ({
  companies: '/', 'new-company': '/companies/new', status: '/status', overview: `/c/${s.company}/`,
  invoices: `/c/${s.company}/invoices`, filtered: `/c/${s.company}/invoices?number=99`,
  'bad-filter': `/c/${s.company}/invoices?date_from=x`, invoice: `/c/${s.company}/invoices/${s.invoice}`,
  issue: `/c/${s.company}/invoices/new`, numbering: `/c/${s.company}/numbering`,
  contingency: `/c/${s.company}/contingency`,
  webhooks: `/c/${s.company}/webhooks`, keys: `/c/${s.company}/keys`, settings: `/c/${s.company}/settings`,
  missing: '/nowhere'
})

const wide = { width: 1280, height: 900 }
const narrow = { width: 390, height: 844 }

// within runs walk in a browser of its own kind, and fails for what its console complains of.
async function within (options, walk) {
  const browser = await chromium.launch({
    executablePath: process.env.FOLIO_CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox']
  })
  try {
    const context = await browser.newContext({ viewport: wide, locale: 'en-US', ...options })
    context.setDefaultTimeout(180000)
    const page = await context.newPage()
    const complaints = []
    page.on('pageerror', (e) => complaints.push(`${page.url()}: ${e.message}`))
    page.on('console', (m) => {
      const refused = m.text().startsWith('Failed to load resource') // a page that is a 404 or a 422
      if (m.type() === 'error' && !refused) complaints.push(`${page.url()}: ${m.text()}`)
    })
    await walk(page, settings)
    if (complaints.length > 0) throw new Error(complaints.join('\n'))
  } finally {
    await browser.close()
  }
}

const open = (page, path) => page.goto(settings.base + '/console' + path)

async function login (page) {
  await open(page, '/login')
  await page.fill('#f-email', settings.email)
  await page.fill('#f-password', settings.password)
  await page.click('button.primary')
  await page.waitForURL('**/console/')
}

function check (ok, words) {
  if (!ok) throw new Error(words)
}

module.exports = { within, login, open, pages, wide, narrow, check, settings }
