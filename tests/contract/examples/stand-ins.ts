import type { RecordedExchange } from '@casewatch/contracts';
import type { Addresses } from '@casewatch/driver';
import { eventId, firstIds, idKinds, numbers, testEventId, texts, times } from './stand-in-values.ts';

/** Ids from here on are of nothing that exists; examples show them as they are. */
export const noId = 999_999_999;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/;
/** Both formats of times: 2026-11-21T10:00:00.000Z and 2026-11-21 10:00:00. */
const timestamp = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{3}Z)?$/;

/**
 * Replaces what differs between runs (ids, times, tokens, addresses) by a fixed value of the same shape.
 * Ids count up in the order of their first use.
 */
export function createStandIns({ gateway_url, receiver_url }: Addresses, startedAt: Date) {
  const ids = new Map<string, number>();

  function idOf(kind: string, id: number): number {
    if (id === noId) return id;
    const key = `${kind} ${id}`;
    const used = [...ids.keys()].filter((other) => other.startsWith(`${kind} `)).length;
    const standIn = ids.get(key) ?? (firstIds[kind] ?? 1) + used;
    ids.set(key, standIn);
    return standIn;
  }

  function textOf(text: string, field: string): string {
    const fixed = texts[field];
    if (fixed !== undefined && !fixed.unless?.test(text)) return fixed.value;
    if (uuid.test(text)) return '5f1d7a52-c3e9-4b0d-8a6f-21c4b7e09d13';
    const [, day, time, isIso] = timestamp.exec(text) ?? [];
    if (day === undefined) return sentenceOf(text);
    // Times of USCIS are long past, and stay.
    if (Date.parse(`${day}T${time}Z`) < startedAt.getTime() - 86_400_000) return text;
    const standIn = times[field] ?? '2026-11-21T10:00:00.000Z';
    return isIso ? standIn : standIn.slice(0, 19).replace('T', ' ');
  }

  function sentenceOf(text: string): string {
    return text
      .replaceAll(receiver_url, 'https://hooks.example.com')
      .replaceAll(gateway_url, 'https://casewatch.example')
      .replaceAll(
        /\/(users|cases|webhooks|keys|tasks|staff|imports)\/(\d+)/g,
        (_, kind, id) => `/${kind}/${idOf(kind, Number(id))}`,
      )
      .replaceAll(/user_id=(\d+)/g, (_, id) => `user_id=${idOf('users', Number(id))}`)
      .replaceAll(/evt_[0-9a-f]{8}-[0-9a-f-]{27}/g, eventId)
      .replaceAll(/(?<=^evt_\S+:|\/evt_[^:/]+:)(\d+)/g, (_, id) => String(idOf('webhooks', Number(id))))
      .replaceAll(/evt_test_[0-9a-f]{32}/g, testEventId)
      .replaceAll(/in [\d,]+ ms/g, 'in 87 ms')
      .replaceAll(/until \d{4}-[\dT:.-]+Z/g, 'until 2026-11-22T10:00:00.000Z')
      .replaceAll(/token=(?!not-a-token)[^&]+/g, 'token=token-from-the-link')
      .replaceAll(/\bFLOW(\d+)\b/g, (_, id) => `FLOW${String(idOf('cases', Number(id))).padStart(7, '0')}`);
  }

  /** @param owner the field that holds the object: it says what an `id` is of */
  function standInFor(value: unknown, field = '', owner = ''): unknown {
    // The example of an event type is fixed.
    if (field === 'example') return value;
    if (Array.isArray(value)) return value.map((item) => standInFor(item, field, field));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, standInFor(inner, name, field || owner)]),
      );
    if (typeof value === 'string') return textOf(value, field === 'id' ? `${owner}.id` : field);
    if (typeof value !== 'number') return value;
    const kind = idKinds[field === 'id' ? owner : field];
    return kind === undefined ? (numbers[field]?.(value) ?? value) : idOf(kind, value);
  }

  /** A file whose cells have no quotes: each is replaced as the field of its column. */
  function standInForFile(text: string, owner: string): string {
    const [head = '', ...lines] = text.split('\r\n');
    const fields = head.replace('\u{FEFF}', '').split(',');
    const standInForCell = (cell: string, i: number) => {
      const field = fields[i] ?? '';
      const value = idKinds[field === 'id' ? owner : field] ? Number(cell) : cell;
      return cell === '' ? '' : String(standInFor(value, field, owner));
    };
    return [head, ...lines.map((line) => line.split(',').map(standInForCell).join(','))].join('\r\n');
  }

  return ({ request, status, body }: RecordedExchange): RecordedExchange => ({
    request: {
      path: sentenceOf(request.path),
      ...('body' in request && { body: standInFor(request.body) }),
      ...(request.form && { form: request.form }),
    },
    status,
    body: typeof body === 'string' ? standInForFile(body, fileOf(request.path)) : standInFor(body),
  });
}

/** `users` of `/v1/client/users.csv`: what its ids are of. */
function fileOf(path: string): string {
  return /(\w+)\.csv/.exec(path)?.[1] ?? '';
}
