import type { Response } from 'express';
import { html, type Markup } from '../http/html.ts';
import { sendPage } from '../http/page.ts';
import { duration } from './duration.ts';
import type { Span } from './otlp.ts';

type Row = { span: Span; depth: number; isOrphan: boolean };
type Scale = { startMs: number; totalMs: number };

/** A waterfall: one row for each span, children below their parents. */
export function sendTrace(res: Response, spans: readonly Span[]): void {
  const [first] = spans.toSorted(byStart);
  const startMs = first?.start_ms ?? 0;
  const totalMs = Math.max(1, ...spans.map((span) => span.end_ms - startMs));
  const rows = rowsOf(spans);
  sendPage(res, {
    title: first?.name ?? 'Unknown trace',
    intro: first
      ? `${first.trace_id} · ${spans.length} ${spans.length === 1 ? 'span' : 'spans'} · ${duration(totalMs)}`
      : 'No such trace.',
    live: false,
    main: html`<p><a href="/">All traces</a> · <a href="/logs?q=${first?.trace_id}">Log lines of this trace</a></p>
<table class="stack"><tr><th>Span</th><th>Service</th><th style="width:45%">Time</th></tr>${rows.map((row) => spanRow(row, { startMs, totalMs }))}</table>`,
  });
}

/** A span whose parent is missing is shown like a root, and marked. */
function rowsOf(spans: readonly Span[]): Row[] {
  const ids = new Set(spans.map(({ span_id }) => span_id));
  const childrenOf = Map.groupBy(spans.toSorted(byStart), ({ parent_id }) =>
    parent_id !== null && ids.has(parent_id) ? parent_id : '',
  );
  const below = (parentId: string, depth: number): Row[] =>
    (childrenOf.get(parentId) ?? []).flatMap((span) => [
      { span, depth, isOrphan: depth === 0 && span.parent_id !== null },
      ...below(span.span_id, depth + 1),
    ]);
  return below('', 0);
}

function byStart(a: Span, b: Span): number {
  return a.start_ms - b.start_ms;
}

function spanRow({ span, depth, isOrphan }: Row, { startMs, totalMs }: Scale): Markup {
  const percent = (ms: number) => ((100 * ms) / totalMs).toFixed(2);
  const left = percent(span.start_ms - startMs);
  const width = percent(Math.max(totalMs / 400, span.end_ms - span.start_ms));
  const facts = Object.entries(span.attributes).map(([name, value]) => `${name}: ${value}`);
  const links = span.links.map((id) => html` <a href="/traces/${id}">linked trace</a>`);
  return html`<tr><td style="padding-left:${depth + 0.75}rem"><details><summary>${span.name}${
    span.is_error ? html` <span class="bad">failed</span>` : null
  }${isOrphan ? html` <span class="bad">its parent is missing</span>` : null}${links}</summary><pre>${[span.kind, span.span_id, ...facts].join('\n')}</pre></details></td>
<td>${span.service}</td><td><div style="margin-left:${left}%;width:${width}%;height:.6rem;border-radius:.2rem;background:var(--${
    span.is_error ? 'bad' : 'accent'
  })"></div><span class="soft">${duration(span.end_ms - span.start_ms)}</span></td></tr>`;
}
