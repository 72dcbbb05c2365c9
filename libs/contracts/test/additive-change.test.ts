import { readFileSync } from 'node:fs';
import {
  envelope,
  events,
  principal,
  reader,
  requests,
  type WireContracts,
  wireContracts,
} from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { examplesOf, valueOfTomorrow } from './support/examples-of.ts';
import { withExtraFields } from './support/with-extra-fields.ts';

const written = wireContracts('written');
const lastRelease = JSON.parse(
  readFileSync(new URL('./last-release.json', import.meta.url), 'utf8'),
) as Record<'read' | 'written', WireContracts>;

/** What a schema refuses of these values: the value and why. */
function refused(schema: z.ZodType, values: unknown[]): unknown[] {
  return values.flatMap((value) => {
    const { error } = schema.safeParse(value);
    return error ? [{ value, why: z.prettifyError(error) }] : [];
  });
}

function readerOf(name: string): z.ZodType {
  const [what = '', subject = ''] = name.split(' ');
  if (what === 'event') return events[subject as keyof typeof events].schema;
  if (what === 'request') return requests[subject as keyof typeof requests].request;
  if (what === 'reply') return requests[subject as keyof typeof requests].reply;
  return what === 'envelope' ? envelope : principal;
}

describe('a reader of this release', () => {
  it.each(Object.keys(written))('ignores fields that it does not know at every level: %s', (name) => {
    const reader = readerOf(name);
    for (const example of examplesOf(written[name])) {
      const extended = withExtraFields(example, written[name], { everywhere: true });
      expect(refused(reader, [example, extended])).toEqual([]);
      expect(reader.parse(extended)).toEqual(reader.parse(example));
    }
  });

  it.each(Object.keys(written))('survives values of enums that it does not know: %s', (name) => {
    expect(refused(readerOf(name), examplesOf(written[name], { tomorrow: true }))).toEqual([]);
  });

  it.each(Object.keys(lastRelease.written))('understands what the last release writes: %s', (name) => {
    const examples = examplesOf(lastRelease.written[name]);
    expect(examples).not.toEqual([]);
    expect(refused(readerOf(name), examples)).toEqual([]);
  });
});

describe('the last release', () => {
  it.each(Object.keys(lastRelease.read))(
    'understands what this release writes, and more fields where it allows them: %s',
    (name) => {
      const examples = examplesOf(written[name]).map((example) =>
        withExtraFields(example, lastRelease.read[name]),
      );
      expect(examples).not.toEqual([]);
      expect(refused(z.fromJSONSchema(lastRelease.read[name] ?? {}), examples)).toEqual([]);
    },
  );
});

describe('a value that this release does not know', () => {
  const tomorrow = valueOfTomorrow;
  it.each([
    ['event status.updated', { skip_reason: tomorrow }, { skip_reason: 'other' }],
    ['event user.updated', { status: tomorrow }, { status: 'inactive' }],
    ['event partner.updated', { status: tomorrow }, { status: 'suspended' }],
    ['event case.created', { first_check: tomorrow }, { first_check: 'deferred' }],
    ['event status.monitoring_changed', { state: tomorrow }, { state: 'watched' }],
    ['event import.finished', { state: tomorrow }, { state: 'done' }],
    ['event contact.opted_out', { channel: tomorrow }, { channel: 'other' }],
    [
      'event notification.updated',
      { channel: tomorrow, status: tomorrow },
      { channel: 'other', status: 'pending' },
    ],
    [
      'event gateway.counted',
      {
        counts: [
          [tomorrow, '1', 2],
          ['user', '7', 1],
        ],
      },
      { counts: [['user', '7', 1]] },
    ],
    [
      'reply identity.people',
      { people: [{ id: 1, preferred_language: tomorrow }] },
      { people: [{ id: 1, preferred_language: 'en' }] },
    ],
    ['request identity.people', { fields: [tomorrow] }, { fields: ['id'] }],
    ['reply identity.revocations', { changes: [{ kind: tomorrow, id: '1' }] }, { changes: null }],
    ['reply identity.jwks', { keys: [{ kty: 'OKP', crv: 'Ed25519' }] }, { keys: [] }],
    ['request notifier.endpoint_failing', { stage: tomorrow }, { stage: 'half' }],
    ['reply monitor.status', { upstream: tomorrow }, { upstream: 'unreachable' }],
    ['principal', { scopes: [tomorrow, 'cases:read'] }, { scopes: ['cases:read'] }],
  ])('is read as what does least harm: %s %j as %j', (name, change, expected) => {
    const [example] = examplesOf(written[name]);
    expect(readerOf(name).parse({ ...(example as object), ...change })).toMatchObject(expected);
  });

  it('is an answer that cannot be read, where it is the outcome of a check', () => {
    const checked_at = '2026-11-21T10:00:00.000Z';
    const reply = { outcome: tomorrow, checked_at, reason: 'new' };
    expect(requests['monitor.check'].reply.parse(reply)).toEqual({ outcome: 'unreadable', checked_at });
  });

  it('is not a field that is missing, or a known value of a wrong shape', () => {
    const [update] = examplesOf(written['event status.updated']) as [object];
    expect(events['status.updated'].schema.safeParse({ ...update, skip_reason: undefined }).success).toBe(
      false,
    );
    const seen = { outcome: 'seen', checked_at: '2026-11-21T10:00:00.000Z' };
    expect(requests['monitor.check'].reply.safeParse(seen).success).toBe(false);
  });

  it('has a rule in each enum: a schema without one is refused before it is used', () => {
    expect(() => reader(z.object({ list: z.array(z.enum(['a'])) }))).toThrow(
      'unknownValues has no rule for a',
    );
  });
});
