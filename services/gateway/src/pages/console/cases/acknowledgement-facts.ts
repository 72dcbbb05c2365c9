import type { Acknowledgement } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { facts } from '../../parts/page-head.ts';
import type { ConsoleCall } from '../console-page.ts';

/** Who said that access to the case is authorized, when, and to which text. */
export function acknowledgementFacts(
  { times }: ConsoleCall,
  acknowledgements: readonly Acknowledgement[],
): Markup {
  return html`<div class="card">${acknowledgements.map(
    ({ acknowledged_at, acknowledged_by, key_id, version }) =>
      facts([
        ['Acknowledged', times.exact(acknowledged_at)],
        ['By', acknowledged_by === 'user' ? 'The user' : `You, with API key ${key_id}`],
        ['Version of the text', version],
      ]),
  )}</div>`;
}
