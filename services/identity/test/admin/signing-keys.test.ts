import type { Bus } from '@casewatch/platform';
import { connectAs } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, runCommand } from '../support/people.ts';
import { startTestIdentity, type TestIdentity } from '../support/start-identity.ts';

type Row = { generation: number; kid: string; state: string; signs_from: string };

let identity: TestIdentity;
let gateway: Bus;

beforeAll(async () => {
  identity = await startTestIdentity();
  gateway = await connectAs(identity.nats, 'gateway');
});
afterAll(async () => {
  await gateway.stop();
  await identity.stop();
});

const list = async () => (await admin(identity, 'signing-key', 'list')).signing_keys as Row[];
const states = async () => (await list()).map(({ state }) => state);
const published = async () => (await gateway.request('identity.jwks', {})).keys.map(({ kid }) => kid);
const change = (generation: number, set: Record<string, Date>) =>
  identity.db.collection('signing_keys').updateOne({ _id: generation as never }, { $set: set });
const past = (seconds: number) => new Date(Date.now() - seconds * 1_000);

describe('signing keys', () => {
  it('begin with those of the settings, the first of which signs; their private parts are encrypted', async () => {
    expect((await list()).map(({ kid, state }) => [kid, state])).toEqual([
      ['next', 'published'],
      ['first', 'signing'],
    ]);
    const [row] = await identity.db.collection('signing_keys').find().toArray();
    expect(Object.keys(row ?? {})).not.toContain('d');
    expect(row?.sealed_d).toMatch(/^1\./);
  });

  it('are published before they sign, and after that while their tokens live', async () => {
    const { signing_key } = await admin(identity, 'signing-key', 'rotate', '--lead-seconds', '60');
    const { kid, generation } = signing_key as Row;
    expect(await states()).toEqual(['published', 'signing', 'next']);
    expect(await published()).toEqual(['next', 'first', kid]);
    await change(generation, { signs_from: past(1) });
    expect(await states()).toEqual(['published', 'published', 'signing']);
    expect(await published()).toEqual(['next', 'first', kid]);
    const [, first] = await identity.db.collection('signing_keys').find().sort({ _id: 1 }).toArray();
    const tokenSeconds = 900;
    expect(Number(first?.published_until) - Date.now()).toBeGreaterThan((tokenSeconds + 60) * 1_000);
    await change(1, { published_until: past(1) });
    await change(2, { published_until: past(1) });
    expect(await states()).toEqual(['retired', 'retired', 'signing']);
    expect(await published()).toEqual([kid]);
  });

  it('are replaced immediately where one leaked', async () => {
    const { signing_key } = await admin(identity, 'signing-key', 'replace');
    expect((await states()).at(-1)).toBe('signing');
    expect(await published()).toEqual([(signing_key as Row).kid]);
  });

  it('cannot sign sooner than every gateway can know of them', async () => {
    const { code, err } = await runCommand(identity, ['signing-key', 'rotate', '--lead-seconds', '1']);
    expect([code, err]).toEqual([2, expect.stringContaining('--lead-seconds must be from 10 to 3600')]);
  });

  it('are told to people without anything secret', async () => {
    const { out } = await runCommand(identity, ['signing-key', 'list']);
    expect(out.split('\n').at(-1)).toMatch(/^\d+\tsigning\t\S+\t\S+$/);
  });
});
