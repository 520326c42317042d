// usage: node dashboard.mjs WORK BASE PROMETHEUS   traffic and an outage for a demo, then the page with its dashboard
import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
const [work, base, prometheus] = process.argv.slice(2)
const access = JSON.parse(readFileSync(`${work}/data/demo/access.json`, 'utf8'))
const sandbox = readFileSync(`${work}/data/sandbox/address`, 'utf8').trim()
const folio = (process.env.FOLIO ?? 'go run ./cmd/folio').split(' ')
const keys = {
  ar: access.api_key,
  ...Object.fromEntries(Object.entries(access.others ?? {}).map(([c, o]) => [c.toLowerCase(), o.api_key])),
}
const kinds = { ar: 'FCB', cl: 'FAC', uy: 'EFA' }
const bodies = Object.entries(keys)
  .filter(([c]) => kinds[c])
  .map(([c, key]) => [
    key,
    execFileSync(
      folio[0],
      [...folio.slice(1), 'example', '--data', `${work}/data`, '--key', key, '--type', kinds[c]],
      { encoding: 'utf8' },
    ),
  ])
const sleep = (ms) => new Promise((f) => setTimeout(f, ms))
const admin = (authority, method, body) =>
  fetch(`${sandbox}/admin/${authority}/faults`, {
    method,
    body: body && JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
const issue = ([key, text]) =>
  fetch(`${base}/api/invoices`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ ...JSON.parse(text), external_reference: `${Date.now()}-${Math.random()}` }),
  })
const contingency = async (method, step, body) => {
  const url = `${base}/api/companies/${access.id_company}/contingency/1${step}`
  const headers = { 'x-api-key': access.api_key, 'content-type': 'application/json' }
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${url}: ${await answer.text()}`)
}
await contingency('PUT', '', { contingency_point_of_sale: 9001, mode: 'manual' })
const since = Math.floor(Date.now() / 1000)
const seconds = Number(process.env.SECONDS_OF_TRAFFIC ?? 150)
for (let at = 0; at < seconds; at++) {
  if (at === Math.round(seconds * 0.35)) await admin('arca', 'POST', { effect: 'down', times: 400 })
  if (at === Math.round(seconds * 0.5)) await contingency('POST', '/open', { reason: 'an outage' })
  if (at === Math.round(seconds * 0.6)) await admin('arca', 'DELETE')
  if (at === Math.round(seconds * 0.65)) await contingency('POST', '/close', { reason: 'it is back' })
  if (at === Math.round(seconds * 0.75))
    await admin('dgi', 'POST', { effect: 'reject', code: 'E05', times: 5 })
  for (const b of bodies) await (await issue(b)).arrayBuffer()
  if (at % 3 === 0)
    await (
      await fetch(`${base}/api/invoices?per_page=5`, { headers: { 'x-api-key': access.api_key } })
    ).arrayBuffer()
  await sleep(900)
}
const dashboard = JSON.parse(readFileSync('deploy/grafana/folio.json', 'utf8')),
  now = Math.floor(Date.now() / 1000)
const answers = { range: [since, now], step: 2 }
for (const p of dashboard.panels)
  for (const t of p.targets ?? []) {
    const query = t.expr.replaceAll('[5m]', '[20s]')
    const got = await (
      await fetch(
        `${prometheus}/api/v1/query_range?${new URLSearchParams({ query, start: since, end: now, step: 2 })}`,
      )
    ).json()
    if (got.status !== 'success') throw new Error(`${p.title}: ${got.error}`)
    answers[t.expr] = got.data.result
  }
const page = readFileSync(new URL('dashboard.html', import.meta.url), 'utf8')
console.log(
  page
    .replace('__DASHBOARD__', () => JSON.stringify(dashboard))
    .replace('__ANSWERS__', () => JSON.stringify(answers).replaceAll('<', '\\u003c')),
)
