import type { Response } from 'express';
import { html } from '../http/html.ts';
import { sendPage } from '../http/page.ts';
import type { Mail } from './mail.ts';
import type { Catcher } from './smtp.ts';

const SHOWN = 200;

export function sendMailbox(res: Response, { mails, fault }: Catcher): void {
  const rows = mails.slice(-SHOWN).reverse();
  const table = html`<table><tr><th>Received</th><th>To</th><th>Subject</th></tr>${rows.map(
    (mail) => html`<tr><td>${mail.received_at}</td><td>${mail.to}</td>
<td><a href="/mails/${mail.id}">${mail.subject || '(no subject)'}</a></td></tr>`,
  )}</table>`;
  sendPage(res, {
    title: 'Mail catcher',
    intro: 'Every mail ends here, whatever its recipient.',
    live: true,
    main: html`${fault.mode === 'none' ? null : html`<div class="card">Fault: <strong>${fault.mode}</strong></div>`}
${rows.length === 0 ? html`<p class="soft">No mail yet.</p>` : table}`,
  });
}

/** The HTML of the mail is in a frame that may neither run scripts nor reach the network. */
export function sendOneMail(res: Response, mail: Mail): void {
  const headers = Object.entries(mail.headers).map(([name, value]) => `${name}: ${value}`);
  sendPage(res, {
    title: mail.subject || '(no subject)',
    intro: `From ${mail.from} to ${mail.to}, ${mail.received_at}`,
    live: false,
    main: html`<p><a href="/">All mails</a></p>
${mail.html === null ? null : html`<iframe title="HTML of the mail" sandbox srcdoc="${mail.html}"></iframe>`}
<h2>Text</h2><div class="card"><pre>${mail.text ?? '(none)'}</pre></div>
<h2>Headers</h2><div class="card"><pre>${headers.join('\n')}</pre></div>`,
  });
}
