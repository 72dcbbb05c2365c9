import { readJson } from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { expect } from '@jest/globals';
import type { DevFile } from './system.ts';

export type Span = {
  trace_id: string;
  span_id: string;
  parent_id: string | null;
  service: string;
  name: string;
  start_ms: number;
  is_error: boolean;
  attributes: Record<string, string>;
  links: string[];
};

export function spansOf({ traces_url }: DevFile, traceId: string): Promise<Span[]> {
  return readJson(`${traces_url}/sandbox/spans?trace_id=${traceId}`);
}

/** All spans that the collector has. */
export function allSpans({ traces_url }: DevFile): Promise<Span[]> {
  return readJson(`${traces_url}/sandbox/spans`);
}

/** `service: span`, as a trace shows it. */
export const nameOf = ({ service, name }: Span) => `${service}: ${name}`;

/** Waits until the trace has a span for each name, two for a name that comes twice: services export once a second. */
export async function wholeTrace(dev: DevFile, traceId: string, names: readonly string[]): Promise<Span[]> {
  let missing: string[] = [];
  let spans: Span[] = [];
  const isWhole = async () => {
    spans = await spansOf(dev, traceId);
    const found = spans.map(nameOf);
    missing = names.filter((name) => !take(found, name));
    return missing.length === 0 && orphansOf(spans).length === 0 && spans;
  };
  return await waitFor(isWhole, { timeoutMs: 30_000, intervalMs: 200, what: 'a whole trace' }).catch(() => {
    const found = [...spans.map(nameOf), ...orphansOf(spans).map((span) => `orphan ${nameOf(span)}`)];
    throw new Error(`missing: ${missing.join(', ')}; found: ${found.sort().join(', ')}`);
  });
}

function take(found: string[], name: string): boolean {
  const index = found.indexOf(name);
  if (index >= 0) found.splice(index, 1);
  return index >= 0;
}

function orphansOf(spans: readonly Span[]): Span[] {
  const ids = new Set(spans.map(({ span_id }) => span_id));
  return spans.filter(({ parent_id }) => parent_id !== null && !ids.has(parent_id));
}

function rootsOf(spans: readonly Span[]): Span[] {
  return spans.filter(({ parent_id }) => parent_id === null);
}

/** The trace begins with the span `root`, and no span of it is without its parent. */
export function expectOneTrace(spans: readonly Span[], root: string): void {
  expect(rootsOf(spans).map(nameOf)).toEqual([root]);
  expect(orphansOf(spans).map(nameOf)).toEqual([]);
}

/** The spans of a change from the check to the mail, the message and the webhook, and those that come again. */
export const spansOfChange = (...again: readonly string[]) => [
  'monitor: check receipt',
  'monitor: GET case-status',
  'monitor: fan out change',
  'monitor: publish status.updated',
  'cases: process status.updated',
  'notifier: process status.updated',
  'webhooks: process status.updated',
  'notifier: send email',
  'notifier: send whatsapp',
  'notifier: publish notification.updated',
  'cases: process notification.updated',
  'webhooks: process notification.updated',
  'webhooks: deliver webhook',
  ...again,
];
