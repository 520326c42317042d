// From the log-in to an accepted document without a mouse: every stop shows that it has the
// focus, and no place keeps it.
const { within, open, settings, check } = require('./browser')

const focus = (page) => page.evaluate(() => {
  const e = document.activeElement
  const s = getComputedStyle(e)
  return { id: e.id, name: e.name || '', text: e.innerText || '', tag: e.tagName, href: e.getAttribute('href') || '',
    shown: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 }
})

// to presses Tab until something fits.
async function to (page, fits, words) {
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press('Tab')
    const f = await focus(page)
    check(f.tag === 'BODY' || f.shown, `no outline shows the focus on ${JSON.stringify(f)}`)
    if (fits(f)) return f
  }
  throw new Error(`Tab does not come to ${words}`)
}

// type fills a field in.
async function type (page, id, text) {
  await to(page, (f) => f.id === id, id)
  if (text !== undefined) await page.keyboard.type(text)
}

module.exports = () => within({}, async (page) => {
  await open(page, '/login')
  await page.keyboard.press('Tab')
  check((await focus(page)).href === '#main', 'the first stop is no way past the bar')
  await page.keyboard.press('Enter')
  await type(page, 'f-email', settings.email)
  await type(page, 'f-password', settings.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/console/')
  await to(page, (f) => f.href === `/console/c/${settings.company}/`, 'the company')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.side')
  await to(page, (f) => f.href.endsWith('/invoices/new'), 'the new document')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#issue')
  await type(page, 'f-invoice_type', 'FCA')
  await type(page, 'f-recipient-document_type', 'CUIT')
  await type(page, 'f-recipient-document_number', '30500010912')
  await type(page, 'f-recipient-legal_name', 'Distribuidora Andina S.A.')
  await type(page, 'f-recipient-address-address', 'Bv. San Juan 870')
  await type(page, 'f-recipient-address-region', 'AR-X')
  await type(page, 'f-items-0-description', 'Cuaderno')
  await type(page, 'f-items-0-unit_price', '100.00')
  await type(page, 'f-items-0-taxes-0-type', 'IVA 21%')
  // live, without a press
  await page.waitForFunction(() => document.querySelector('#sums').innerText.includes('121.00'))
  await to(page, (f) => f.name === '_add', 'another line')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#f-items-1-description')
  // Where the swap left the focus is the browser's: the walk goes on from a known place.
  await page.focus('#f-recipient-legal_name')
  await type(page, 'f-items-1-description', 'Lápiz')
  await type(page, 'f-items-1-unit_price', '10')
  await type(page, 'f-items-1-taxes-0-type', 'IVA 21%')
  await page.waitForFunction(() => document.querySelector('#sums').innerText.includes('133.10'))
  await to(page, (f) => f.name === '_issue', 'the button that issues')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#document')
  // live, without a reload
  await page.waitForFunction(() => document.querySelector('h1').innerText.includes('Accepted'))
  await to(page, (f) => f.href.endsWith('/pdf'), 'the PDF')
})
