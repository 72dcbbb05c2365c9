import type { Response } from 'express';
import { html, type Markup } from '../http/html.ts';
import { sendPage } from '../http/page.ts';
import { duration } from './duration.ts';
import type { Span } from './otlp.ts';

const shownTraces = 100;

/** `query`: a part of a span's name, service, id or attribute. Without it, checks that changed nothing are hidden. */
export function sendTraceList(res: Response, traces: readonly Span[][], query = ''): void {
  const isShown = (spans: readonly Span[]) =>
    query === '' ? spans.some(({ service }) => service !== 'monitor') : JSON.stringify(spans).includes(query);
  const found = traces.filter(isShown);
  sendPage(res, {
    title: 'Traces',
    intro:
      'The last traces, the newest first, without checks that changed nothing. Search a name, a service or an id.',
    live: true,
    main: html`<form class="card"><label>Search <input name="q" value="${query}"></label> <button>Find</button> <a href="/logs">Logs</a></form>
${found.length === 0 ? html`<p class="soft">No traces.</p>` : traceTable(found.slice(0, shownTraces))}`,
  });
}

function traceTable(traces: readonly Span[][]): Markup {
  return html`<table class="stack"><tr><th>Begin</th><th>Trace</th><th>Services</th><th>Spans</th><th>Time</th></tr>${traces.map(traceRow)}</table>`;
}

function traceRow(spans: readonly Span[]): Markup {
  const [first] = spans.toSorted((a, b) => a.start_ms - b.start_ms);
  if (first === undefined) return html``;
  const services = new Set(spans.map(({ service }) => service));
  const endMs = Math.max(...spans.map((span) => span.end_ms));
  const errors = spans.filter((span) => span.is_error).length;
  return html`<tr><td>${new Date(first.start_ms).toISOString().slice(11, 23)}</td>
<td><a href="/traces/${first.trace_id}">${first.name}</a>${errors > 0 ? html` <span class="bad">${errors} failed</span>` : null}</td>
<td>${[...services].join(', ')}</td><td>${spans.length} ${spans.length === 1 ? 'span' : 'spans'}</td><td>${duration(endMs - first.start_ms)}</td></tr>`;
}
