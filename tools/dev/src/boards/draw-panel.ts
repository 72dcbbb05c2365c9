import { html, type Markup } from '@casewatch/platform';
import type { Panel } from './board.ts';
import type { Range, Series } from './query-panel.ts';
import { ticksOf } from './ticks.ts';
import { stepOf, withUnit } from './units.ts';

/** Eight colours that people with colour blindness tell apart (Okabe and Ito, black left out), and two shades. */
const colours = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#8c6d00',
  '#5b5b5b',
  '#7b3294',
  '#a6761d',
];
const margin = { left: 72, right: 12, top: 8, bottom: 22 };

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' });

type Drawing = { readonly panel: Panel; readonly series: readonly Series[]; readonly range: Range };
type Size = { readonly width: number; readonly height: number };

/** A panel as HTML: its title, a chart of `size` pixels with values from `range`, and a legend with the last value of each line. */
export function drawPanel({ panel, series, range }: Drawing, size: Size): Markup {
  const { unit } = panel.fieldConfig.defaults;
  const coloured = series.map((line, index) => ({
    ...line,
    colour: colours[index % colours.length] ?? '',
    isDashed: index >= colours.length,
  }));
  const legend = coloured.map(
    ({ name, colour, points }) =>
      html`<li><i style="background:${colour}"></i>${name} <b>${withUnit(points.at(-1)?.[1] ?? 0, unit)}</b></li>`,
  );
  return html`<h2>${panel.title} ${panel.description !== undefined && html`<small>${panel.description}</small>`}</h2><div>${
    series.length === 0 ? html`<p>No data</p>` : chart({ panel, series: coloured, range }, size)
  }<ul>${legend}</ul></div>`;
}

/** Where colours repeat, lines are dashed. */
type Coloured = Series & { readonly colour: string; readonly isDashed: boolean };

function chart(
  { panel, series, range }: Omit<Drawing, 'series'> & { readonly series: readonly Coloured[] },
  { width, height }: Size,
): Markup {
  const { unit, min, max } = panel.fieldConfig.defaults;
  const values = series.flatMap(({ points }) => points.map(([, value]) => value));
  const low = Math.min(min ?? Number.POSITIVE_INFINITY, ...values);
  const high = Math.max(max ?? Number.NEGATIVE_INFINITY, ...values);
  // Round in the unit that the axis shows: 64 MiB, not 67 million bytes.
  const [step] = stepOf(high, unit);
  const ticks = ticksOf(low / step, (high > low ? high : low + step) / step, 4).map((tick) => tick * step);
  const [bottom = 0, top = 1] = [ticks.at(0), ticks.at(-1)];
  const x = (at: number) =>
    margin.left + ((at - range.start) / (range.end - range.start)) * (width - margin.left - margin.right);
  const y = (value: number) =>
    height - margin.bottom - ((value - bottom) / (top - bottom)) * (height - margin.top - margin.bottom);
  const times = [0, 1, 2, 3, 4].map((part) => range.start + (part / 4) * (range.end - range.start));
  return html`<svg width="${width}" height="${height}" role="img" aria-label="${panel.title}">${ticks.map(
    (tick) =>
      html`<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(tick)}" y2="${y(tick)}"></line><text x="${margin.left - 6}" y="${y(tick) + 4}" text-anchor="end">${withUnit(tick, unit)}</text>`,
  )}${times.map(
    (at, index) =>
      html`<text x="${x(at)}" y="${height - 4}" text-anchor="${['start', 'middle', 'middle', 'middle', 'end'][index] ?? ''}">${clock.format(at * 1000)}</text>`,
  )}${series.map(
    ({ points, colour, isDashed }) =>
      html`<polyline stroke="${colour}"${isDashed && html` stroke-dasharray="4 3"`} points="${points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}"></polyline>`,
  )}</svg>`;
}
