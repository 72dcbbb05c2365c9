import type { RecordedExchange } from '@casewatch/contracts';
import type { DevFile } from '../dev-files.ts';

import { numbers, texts, times, uuid } from './stand-in-values.ts';

const DAY_MS = 24 * 3_600_000;

/** Ids of this and more are in recipes for what does not exist. */
const NO_ID = 900_000_000;

/**
 * Gives what differs from run to run (ids, times of ours, tokens, addresses of this machine) values that are the same
 * each time and of the same shape. Ids count up in the order in which they are first shown.
 */
export function createStandIns(dev: DevFile, startedAt: Date) {
  const ids = new Map<string, Map<number, number>>();

  function idOf(kind: string, actual: number): number {
    if (actual >= NO_ID) return actual;
    const known = ids.get(kind) ?? new Map<number, number>();
    ids.set(kind, known);
    const shown = known.get(actual) ?? (firstIds[kind] ?? 1) + known.size;
    known.set(actual, shown);
    return shown;
  }

  function text(value: string, field: string): string {
    const stand = texts[field];
    if (stand !== undefined && !stand.unless?.test(value)) return stand.value;
    if (uuid.test(value)) return '5f1d7a52-c3e9-4b0d-8a6f-21c4b7e09d13';
    if (isoTime.test(value)) return timeOf(value, field);
    if (partnerTime.test(value)) return timeOf(value, field);
    return place(value);
  }

  function timeOf(value: string, field: string): string {
    const isIso = isoTime.test(value);
    const at = Date.parse(isIso ? value : `${value.replace(' ', 'T')}Z`);
    // The government's own times are as they are.
    if (at < startedAt.getTime() - DAY_MS) return value;
    const shown = times[field] ?? '2026-11-21T10:00:00.000Z';
    return isIso ? shown : shown.slice(0, 19).replace('T', ' ');
  }

  /** A path, an address or a sentence: what in it names something of this run. */
  function place(value: string): string {
    return value
      .replaceAll(dev.receiver_url, 'https://hooks.example.com')
      .replaceAll(dev.gateway_url, 'https://casewatch.example')
      .replaceAll(/\/(users|cases|webhooks|keys)\/(\d+)/g, (_, kind: string, id: string) => {
        return `/${kind}/${idOf(kind, Number(id))}`;
      })
      .replaceAll(/([?&]user_id=)(\d+)/g, (_, name: string, id: string) => name + idOf('users', Number(id)))
      .replaceAll(/([?&]token=)(?!not-a-token)[^&]+/g, '$1token-from-the-link')
      .replaceAll(
        /\bFLOW(\d+)\b/g,
        (_, id: string) => `FLOW${String(idOf('cases', Number(id))).padStart(7, '0')}`,
      );
  }

  function value(given: unknown, field: string, owner: string): unknown {
    if (Array.isArray(given)) return given.map((each) => value(each, field, field));
    if (typeof given === 'object' && given !== null) {
      return Object.fromEntries(
        Object.entries(given).map(([name, inner]) => [name, value(inner, name, field || owner)]),
      );
    }
    if (typeof given === 'string') return text(given, field === 'id' ? `${owner}.id` : field);
    if (typeof given !== 'number') return given;
    const kind = kinds[field === 'id' ? owner : field];
    if (kind !== undefined) return idOf(kind, given);
    return numbers[field]?.(given) ?? given;
  }

  return ({ request, status, body }: RecordedExchange): RecordedExchange => ({
    request: {
      path: place(request.path),
      ...('body' in request && { body: value(request.body, '', '') }),
      ...(request.form && { form: request.form }),
    },
    status,
    body: value(body, '', ''),
  });
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const partnerTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** What an id is of, by its own name, or by what it is the id of. */
const kinds: Record<string, string> = {
  user_id: 'users',
  user: 'users',
  users: 'users',
  case: 'cases',
  cases: 'cases',
  webhook: 'webhooks',
  webhooks: 'webhooks',
  webhook_id: 'webhooks',
  key: 'keys',
  keys: 'keys',
  replaced_key: 'keys',
  replaced_by: 'keys',
  client: 'partners',
  latest_update: 'updates',
  status_updates: 'updates',
  status_update_id: 'updates',
};

const firstIds: Record<string, number> = { users: 317, cases: 1_042, webhooks: 12, keys: 4, updates: 5_210 };
