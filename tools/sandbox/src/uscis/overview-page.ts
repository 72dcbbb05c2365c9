import type { Response } from 'express';
import { html, type Markup } from '../http/html.ts';
import { sendPage } from '../http/page.ts';
import type { World } from './world.ts';

const REQUESTS_SHOWN = 15;

export function sendOverview(res: Response, world: World): void {
  const { limits, quota, fault, ledger } = world;
  const latest = ledger.slice(-REQUESTS_SHOWN).reverse();
  sendPage(res, {
    title: 'Government API',
    intro: 'Receipts and requests of the case status API.',
    live: true,
    main: html`<div class="card"><p>${limits.rate_per_second} requests per second, ${quota.used(new Date(), limits.quota_tz)} of ${limits.daily_quota}
used today, ${limits.hours ?? 'always open'}.</p><p>Fault: <strong>${fault.mode}</strong></p></div>
<h2>Last requests</h2>${latest.length === 0 ? html`<p class="soft">No requests yet.</p>` : requestTable(latest)}
<h2>Receipts (${world.cases.size})</h2>${receiptTable(world)}`,
  });
}

function requestTable(rows: World['ledger']): Markup {
  return html`<table><tr><th>Time</th><th>Receipt</th><th>Answer</th><th>Fault</th></tr>${rows.map(
    (row) => html`<tr><td>${row.time}</td><td><code>${row.receipt}</code></td>
<td>${row.status === 0 ? html`<span class="bad">none</span>` : row.status}</td><td>${row.fault}</td></tr>`,
  )}</table>`;
}

/** The receipts changed last come first. */
function receiptTable({ cases, answers, transitions }: World): Markup {
  const changed = new Set(transitions.map(({ receipt }) => receipt).reverse());
  const receipts = [...changed, ...cases.keys()].filter(
    (receipt) => cases.has(receipt) || answers.has(receipt),
  );
  return html`<table><tr><th>Receipt</th><th>Form</th><th>Status</th><th>Modified</th><th></th></tr>${[
    ...new Set(receipts),
  ].map((receipt) => {
    const served = cases.get(receipt);
    return html`<tr><td><code>${receipt}</code></td><td>${served?.form_type}</td>
<td>${served?.text_en}${served?.broken ? html` <span class="bad">broken JSON</span>` : null}${answers.has(receipt) ? html` <span class="bad">answered word for word</span>` : null}</td><td>${served?.modified_date}</td>
<td><button data-post="/sandbox/receipts/${receipt}/advance">Advance</button></td></tr>`;
  })}</table>`;
}
