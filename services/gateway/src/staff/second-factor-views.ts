import type { FactorKey } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { renderSVG } from 'uqr';
import type { Refusal } from '../pages/page.ts';
import { field } from '../pages/parts/form.ts';

// What the pages of the second factor show in common, at a sign-in and later in the settings.

/** What to do with a key, and the field for its first code. A picture of ours, so that no other server learns the key. */
export function keySteps({ text, uri }: FactorKey, refusal: Refusal | null): Markup {
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`;
  const groups = text.match(/.{1,4}/g) ?? [];
  return html`<ol class="steps">
<li>Install an authenticator app on your phone, if you have none.</li>
<li>Scan this picture with the app:<img class="qr" src="${picture}" alt="QR code of the key" width="200" height="200">
<p class="small">No camera? <a href="${uri}">Open the key in an app of this device</a>, or type it: <code class="key">${groups.join(' ')}</code></p></li>
<li>Enter the code that the app shows.</li>
</ol>
${appCodeField(refusal)}`;
}

/** The code is never shown again, not even after a refusal. */
export function appCodeField(refusal: Refusal | null): Markup {
  return field({
    name: 'code',
    label: 'Code of the app',
    hint: 'Six digits. They change every 30 seconds, and each code works once.',
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    isRequired: true,
    refusal: withoutTyped(refusal),
  });
}

export function withoutTyped(refusal: Refusal | null): Refusal | null {
  return refusal && { ...refusal, posted: {} };
}

/** Recovery codes, the one time that they are shown. One click selects all. */
export function recoveryCodes(codes: readonly string[]): Markup {
  return html`<p>If you lose the app, a recovery code takes its place. Each works once. Print this page, or keep the codes in a password manager: <b>we do not show them again</b>.</p>
<div class="secret"><code class="codes">${codes.join('\n')}</code></div>`;
}
