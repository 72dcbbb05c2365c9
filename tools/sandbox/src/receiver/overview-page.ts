import type { Response } from 'express';
import { html, type Markup } from '../http/html.ts';
import { sendPage } from '../http/page.ts';
import type { TlsAddress } from './control-routes.ts';
import type { Hook, ReceivedCall } from './hook.ts';

const SHOWN = 50;

export function sendOverview(res: Response, hooks: ReadonlyMap<string, Hook>, tls: TlsAddress): void {
  const sections = [...hooks].map(([name, hook]) => hookSection(name, hook));
  sendPage(res, {
    title: 'Webhook receiver',
    intro: `Post to /hooks/<any name>; this page shows the calls. ${tls.url} has a certificate for ${tls.name}.`,
    live: true,
    main: sections.length === 0 ? html`<p class="soft">Nothing has arrived yet.</p>` : html`${sections}`,
  });
}

function hookSection(name: string, { mode, status, delayMs, calls }: Hook): Markup {
  const latest = calls.slice(-SHOWN).reverse();
  return html`<h2>/hooks/${name}</h2><p class="soft">${calls.length} received; answers ${status}${
    delayMs > 0 ? ` after ${delayMs} ms` : ''
  }${mode === 'none' ? '' : `; mode ${mode}`}</p>${latest.map(callCard)}`;
}

function callCard({ received_at, signature_ok, headers, body }: ReceivedCall): Markup {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return html`<details class="card"><summary>${received_at} · ${headers['webhook-id'] ?? 'no id'} · ${verdict(signature_ok)}</summary>
<pre>${lines.join('\n')}</pre><pre>${body}</pre></details>`;
}

function verdict(signatureOk: boolean | null): Markup {
  if (signatureOk === null) return html`<span class="soft">no secret set</span>`;
  return signatureOk
    ? html`<span class="good">signature verified</span>`
    : html`<span class="bad">signature wrong</span>`;
}
