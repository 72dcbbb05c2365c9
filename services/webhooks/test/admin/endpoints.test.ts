import type { AuditRecord } from '@casewatch/contracts';
import { connectDatabase, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runAdmin } from '../../src/admin/run-admin.ts';
import { startWorld, type World } from '../support/delivery-world.ts';
import { insertPastEvents } from '../support/past-events.ts';

const partner = 1;

describe('npm run admin -- webhooks', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  async function admin(...args: string[]) {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const code = await runAdmin(['webhooks', ...args], world.service.env, { out: print, err: print });
    return { code, said: lines.join('\n') };
  }
  const shown = async (id: number) =>
    (await world.service.call(partner, 'GET', `/v1/webhooks/${id}`)).body.webhook;
  const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

  it('disable and enable are the switch of the owner', async () => {
    const id = await world.subscribe(partner, 'switched');
    const other = await world.subscribe(partner, 'other');
    const endpoint = ['--endpoint', String(id)];
    expect(await admin('disable', ...endpoint)).toEqual({ code: 0, said: `Endpoint ${id} is disabled.` });
    expect(await shown(id)).toMatchObject({ active: false });
    expect(await shown(other)).toMatchObject({ active: true });
    expect(await admin('disable', ...endpoint)).toEqual({
      code: 0,
      said: `Endpoint ${id} was disabled already.`,
    });
    const replayed = await admin('replay', ...endpoint, '--since', hourAgo());
    expect(replayed).toEqual({ code: 1, said: expect.stringContaining(`webhooks enable --endpoint ${id}`) });
    expect(await admin('enable', ...endpoint)).toEqual({ code: 0, said: `Endpoint ${id} is enabled.` });
    expect(await shown(id)).toMatchObject({ active: true, disabled_at: null, disabled_reason: null });
    // Each is recorded for the partner, once, with the endpoint; what changed nothing is not.
    const db = await connectDatabase(world.service.dbUrl);
    const rows = await db.collection('outbox').find({ type: 'webhooks.audited' }).toArray();
    await db.close();
    const records = rows.flatMap(({ body }) => JSON.parse(String(body)).data.records as AuditRecord[]);
    const own = records.filter(({ objects }) => objects.some((one) => one.id === String(id)));
    expect(own.filter(({ actor }) => actor.kind === 'operator')).toMatchObject([
      { operation: 'admin disable', partner_id: partner, objects: [{ kind: 'webhook', id: String(id) }] },
      { operation: 'admin enable', partner_id: partner, objects: [{ kind: 'webhook', id: String(id) }] },
    ]);
  });

  it('enable ends the failures for which an endpoint was disabled', async () => {
    const id = await world.subscribe(partner, 'failed');
    const db = await connectDatabase(world.service.dbUrl);
    const at = new Date();
    await db.collection<{ _id: number }>('webhooks').updateOne(
      { _id: id },
      {
        $set: {
          active: false,
          disabled_at: at,
          disabled_reason: 'failing',
          failing_since: at,
          failures: 99,
        },
      },
    );
    expect((await admin('enable', '--endpoint', String(id))).code).toBe(0);
    const row = await db.collection<{ _id: number }>('webhooks').findOne({ _id: id });
    expect(row).toMatchObject({ active: true, disabled_at: null, failing_since: null, failures: 0 });
    await db.close();
  });

  it('replay sends stored events again, one replay of an endpoint at a time', async () => {
    const id = await world.subscribe(partner, 'replayed', { events: ['user.deleted'], rate_limit: 1 });
    const db = await connectDatabase(world.service.dbUrl);
    await insertPastEvents(db, partner, 30);
    await db.close();
    const call = ['replay', '--endpoint', String(id), '--since', hourAgo(), '--all'];
    expect(await admin(...call)).toEqual({
      code: 0,
      said: expect.stringMatching(new RegExp(`^All stored events since .* are sent to endpoint ${id} again`)),
    });
    expect(await admin(...call)).toEqual({ code: 1, said: expect.stringContaining('replay') });
    await waitFor(async () => (await world.receiver.calls('replayed')).length > 0, { timeoutMs: 60_000 });
  });

  it.each([
    ['an endpoint that does not exist', ['disable', '--endpoint', '4711'], 1, 'There is no endpoint 4711.'],
    ['another one to enable', ['enable', '--endpoint', '4711'], 1, 'There is no endpoint 4711.'],
    ['no endpoint', ['disable'], 2, '--endpoint is missing'],
    ['a name', ['enable', '--endpoint', 'hooks.example'], 2, '--endpoint'],
    ['a time without a zone', ['replay', '--endpoint', '1', '--since', '2026-11-23'], 2, 'is a time such as'],
    ['no time', ['replay', '--endpoint', '1'], 2, '--since is missing'],
  ])('refuses %s, and changes nothing', async (_what, args, code, said) => {
    expect(await admin(...args)).toEqual({ code, said: expect.stringContaining(said) });
  });

  it('replay refuses a time from which no events are stored any more', async () => {
    const id = await world.subscribe(partner, 'old');
    const since = new Date(Date.now() - 31 * 86_400_000).toISOString();
    expect(await admin('replay', '--endpoint', String(id), '--since', since)).toEqual({
      code: 1,
      said: '--since must be within the last 30 days',
    });
  });
});
