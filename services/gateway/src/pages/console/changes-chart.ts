import { html, type Markup } from '@casewatch/platform';

const dayMs = 24 * 60 * 60 * 1000;
const width = 700;
const height = 56;

type Chart = { readonly moments: readonly Date[]; readonly now: Date; readonly days: number };

/** One bar for each day, today last. Its text says the same for those who do not see it. */
export function changesChart({ moments, now, days }: Chart): Markup {
  const counts = Array.from({ length: days }, (_, index) => {
    const end = now.getTime() - (days - 1 - index) * dayMs;
    return moments.filter((at) => at.getTime() > end - dayMs && at.getTime() <= end).length;
  });
  const highest = Math.max(...counts, 1);
  const step = width / days;
  const bars = counts.map((count, index) => {
    const tall = count === 0 ? 2 : Math.max(4, Math.round((count / highest) * height));
    return html`<rect x="${Math.round(index * step + step * 0.15)}" y="${height - tall}" width="${Math.round(step * 0.7)}" height="${tall}" rx="2"${count === 0 && html` class="none"`}></rect>`;
  });
  const label = `${moments.length} ${moments.length === 1 ? 'change' : 'changes'} in ${days} days, at most ${highest} in one day.`;
  return html`<figure><svg class="bars" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">${bars}</svg>
<figcaption class="small quiet">${label}</figcaption></figure>`;
}
