import { html, type Markup } from '@casewatch/platform';

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
