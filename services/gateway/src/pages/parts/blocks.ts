import { html, type Markup } from '@casewatch/platform';

type Head = {
  readonly title: string | Markup;
  readonly back?: { readonly href: string; readonly text: string };
  readonly sub?: Markup | string | null;
  readonly aside?: Markup | null;
};

export function pageHead({ title, back, sub, aside }: Head): Markup {
  return html`<header class="page-head">
${back && html`<p class="back"><a href="${back.href}">${back.text}</a></p>`}
<div class="row"><div><h1>${title}</h1>${sub && html`<p class="sub">${sub}</p>`}</div>${aside && html`<div class="aside">${aside}</div>`}</div>
</header>`;
}

type Stat = {
  readonly label: string;
  readonly value: Markup | string | number;
  readonly note?: Markup | string | null;
};

const wholeNumbers = new Intl.NumberFormat('en');

/** `1,234` */
export const wholeNumber = (count: number): string => wholeNumbers.format(count);

/** A number that was counted up to a limit. */
export function countText(count: number, isExact: boolean): string {
  return `${isExact ? '' : 'More than '}${wholeNumber(count)}`;
}

/** A few figures beside each other. */
export function stats(items: readonly Stat[]): Markup {
  return html`<dl class="stats">
${items.map(({ label, value, note }) => html`<div class="stat"><dt>${label}</dt><dd>${typeof value === 'number' ? wholeNumber(value) : value}${note && html`<small>${note}</small>`}</dd></div>\n`)}</dl>`;
}

/** Names and values below each other. */
export function facts(items: readonly (readonly [string, Markup | string] | null)[]): Markup {
  return html`<dl class="facts">
${items.map((item) => item && html`<div><dt>${item[0]}</dt><dd>${item[1]}</dd></div>\n`)}</dl>`;
}

export function section(title: string, content: Markup, aside: Markup | null = null): Markup {
  return html`<section class="section"><div class="row"><h2>${title}</h2>${aside}</div>
${content}</section>`;
}

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'idle';

/** A state in one word. The dot repeats the tone for the eye; the text says it. */
export function pill(tone: Tone, text: string): Markup {
  return html`<span class="pill ${tone}">${text}</span>`;
}

/** A sentence on top of a page. Screen readers read it aloud when it appears. */
export function notice(tone: Tone, text: Markup | string): Markup {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}"><p>${text}</p></div>`;
}

type Moment = { readonly isCurrent: boolean; readonly content: Markup };

/** Newest first. */
export function timeline(moments: readonly Moment[]): Markup {
  return html`<ol class="timeline">
${moments.map(({ isCurrent, content }) => html`<li class="${isCurrent ? 'current' : 'past'}">${content}</li>\n`)}</ol>`;
}

/** A value to copy. One click selects all of it; the script adds a button. */
export function secret(value: string): Markup {
  return html`<span class="secret"><code>${value}</code></span>`;
}

/** The logo of a partner, from our own origin. Without a text of its own: the name stands beside it. */
export function logo(url: string | null | undefined): Markup | null {
  return url ? html`<img class="logo" src="${new URL(url).pathname}" alt="">` : null;
}

/** Lines as they were sent: an event, an answer. Keyboards can scroll them; `label` names them for screen readers. */
export function lines(label: string, text: string, { isCopied = false } = {}): Markup {
  return html`<pre tabindex="0" role="group" aria-label="${label}"${isCopied && html` data-copy`}>${text}</pre>`;
}

/** The JSON of an event, to copy. */
export function eventLines(event: unknown): Markup {
  return lines('Event', JSON.stringify(event, null, 2), { isCopied: true });
}

const step = 10;
const height = 32;

/** A small chart: one bar for each number, newest last. `label` says the same in words. */
export function bars(counts: readonly number[], label: string): Markup {
  const highest = Math.max(...counts, 1);
  const shown = counts.map((count, index) => {
    const tall = count === 0 ? 1 : Math.max(3, Math.round((count / highest) * height));
    return html`<rect x="${index * step + 1}" y="${height - tall}" width="${step - 2}" height="${tall}"${count === 0 && html` class="none"`}></rect>`;
  });
  return html`<svg class="bars" viewBox="0 0 ${counts.length * step} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">${shown}</svg>`;
}
