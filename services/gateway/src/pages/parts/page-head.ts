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

const wholeNumber = new Intl.NumberFormat('en');

/** A few figures beside each other. */
export function stats(items: readonly Stat[]): Markup {
  return html`<dl class="stats">
${items.map(({ label, value, note }) => html`<div class="stat"><dt>${label}</dt><dd>${typeof value === 'number' ? wholeNumber.format(value) : value}${note && html`<small>${note}</small>`}</dd></div>\n`)}</dl>`;
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
