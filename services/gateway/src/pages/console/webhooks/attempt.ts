import type { DetailedAttempt } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { pill } from '../../parts/pill.ts';
import type { ConsoleCall } from '../console-page.ts';

/** One attempt: what we sent, and what the endpoint answered. */
export function attemptDetails({ times }: Pick<ConsoleCall, 'times'>, attempt: DetailedAttempt): Markup {
  const { status, error, ms, at, message, response, request_headers, manual } = attempt;
  const outcome =
    error === null
      ? pill('good', `HTTP ${status ?? '–'}`)
      : pill('bad', status === null ? error : `HTTP ${status}`);
  const headers = Object.entries(request_headers).map(([name, value]) => `${name}: ${value}`);
  return html`<div class="attempt"><div class="row"><div>${outcome} <span class="quiet small">${ms} ms${manual && ', sent by hand'}</span></div><span class="quiet small">${times.exact(at)}</span></div>
${message && html`<p>${message}</p>`}
${response && html`<pre tabindex="0" role="group" aria-label="Response">${response}</pre>`}
<details class="more"><summary>Request headers</summary><pre tabindex="0" role="group" aria-label="Request headers">${headers.join('\n')}</pre></details></div>`;
}
