// A delivery is sent again, and those of a period are counted and replayed.
const { within, login, open, settings, check } = require('./browser')

const rows = (page, path) => async () => {
  await open(page, path)
  return page.locator('section:has(h2:text-is("Attempts")) tbody tr').count()
}

// until looks again for as long as it takes: deliveries go out behind the answer.
async function until (look, so) {
  while (!so(await look())) await new Promise((resolve) => setTimeout(resolve, 200))
}

module.exports = () => within({}, async (page) => {
  await login(page)
  const hooks = `/c/${settings.company}/webhooks`
  await open(page, hooks)
  await page.click('text=Send a trial delivery')
  await page.waitForURL('**/webhooks?done=ping')
  await page.click('a.cover:has-text("PING")')
  await page.waitForURL('**/deliveries/*')
  const delivery = new URL(page.url()).pathname.replace('/console', '')
  await until(rows(page, delivery), (n) => n >= 1)
  const before = await rows(page, delivery)()
  await page.click('button.primary:has-text("Send again")')
  await page.waitForURL('**done=resent')
  check((await page.innerText('.notice')).includes('sent again'), 'nothing says that it is sent again')
  await until(rows(page, delivery), (n) => n > before)

  await open(page, hooks)
  await page.fill('#f-from', '2020-01-01')
  await page.fill('#f-to', '2099-01-01')
  await page.click('#replay button[name=_count]')
  await page.waitForSelector('#replay .notice')
  const planned = Number((await page.innerText('#replay .notice')).match(/^\d+/)[0])
  check(planned >= 1, 'a replay of all time has no delivery')
  check(await page.inputValue('#f-from') === '2020-01-01', 'the period is lost when it is counted')
  await page.click('#replay button.primary')
  await page.waitForURL('**done=replay')
  const replay = async () => {
    await open(page, hooks)
    return page.innerText('#replay tbody tr')
  }
  await until(replay, (row) => row.includes(`${planned} / ${planned}`) && row.includes('finished'))
})
