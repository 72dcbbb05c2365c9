import { html, type Markup } from '@casewatch/platform';

/** The logo of a partner, from our own origin. Without a text of its own: the name stands beside it. */
export function logo(url: string | null | undefined): Markup | null {
  return url ? html`<img class="logo" src="${new URL(url).pathname}" alt="">` : null;
}
