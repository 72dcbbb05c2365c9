import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ServiceName } from '@casewatch/contracts';
import { outboxModel } from '@casewatch/platform/database';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { runRepublish } from '../src/programs/run-republish.ts';
import { deleteUser } from './support/delete-user.ts';
import { startBases, type TestBases } from './support/start-bases.ts';
import { noHandlers } from './support/no-handlers.ts';

const program = join(import.meta.dirname, '../src/programs/republish.ts');

describe('republish', () => {
  let bases: TestBases;
  beforeAll(async () => {
    bases = await startBases();
  });
  afterAll(() => bases.stop());

  const envOf = (service: ServiceName) => ({ ...process.env, MONGODB_URL: bases.databaseUrl(service) });

  /** Runs the program as `kubectl exec` does. */
  async function republish(service: ServiceName, ...args: string[]) {
    const env = { ...envOf(service), NODE_OPTIONS: '' };
    return await promisify(execFile)(process.execPath, [program, ...args], { env }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      ({ code, stderr }) => ({ code, text: stderr }),
    );
  }

  /** The same in this process. */
  async function republishHere(service: ServiceName, ...args: string[]) {
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    const code = await runRepublish(args, envOf(service), { out: say, err: say });
    return { code, lines };
  }

  it('publishes again what was published since a time, though the stream would call it a duplicate', async () => {
    const identity = await bases.base('identity');
    identity.startPublishing();
    identity.consume(noHandlers('identity'));
    const operator = await connect({ servers: bases.nats.url, ...bases.nats.operator });
    const manager = await jetstreamManager(operator);
    const add = (id: number) => deleteUser(identity, id);
    const published = async () => {
      const rows = outboxModel(identity.db);
      await waitFor(async () => (await rows.countDocuments({ published_at: null })) === 0);
      return await rows.findOne().sort({ _id: -1 }).lean();
    };
    try {
      await add(1);
      const first = await published();
      await add(2);
      const second = await published();
      const since = second?.published_at ?? new Date();
      expect(since.getTime()).toBeGreaterThan(first?.published_at?.getTime() ?? Number.NaN);

      const { code, text } = await republish('identity', '--since', since.toISOString());
      expect({ code, text }).toEqual({
        code: 0,
        text: `The relay of identity publishes the events of IDENTITY, ERASED since ${since.toISOString()} again: 1 in all.\n`,
      });
      await waitFor(async () => (await manager.streams.info('IDENTITY')).state.messages === 3, {
        what: 'the second event again',
      });
      const again = await manager.streams.getMessage('IDENTITY', { seq: 3 });
      expect(again?.json()).toMatchObject({ id: second?._id });
      expect(await published()).toEqual(second);
    } finally {
      await operator.close();
    }
  });

  it.each([
    ['no time', []],
    ['a time without its zone', ['--since', '2026-11-22T10:00:00']],
    ['a day', ['--since', 'yesterday']],
    ['a time to come', ['--since', '2999-01-01T00:00:00Z']],
    ['a flag that it does not know', ['--until', '2026-11-22T10:00:00Z']],
  ])('says the right form where it is called with %s', async (_what, args) => {
    expect(await republishHere('identity', ...args)).toEqual({
      code: 2,
      lines: ['Give a time in the past, with its time zone: --since 2026-11-22T10:00:00Z'],
    });
  });

  it('refuses a database on which no service has started', async () => {
    expect(await republish('cases', '--since', '2026-11-22T10:00:00Z')).toEqual({
      code: 2,
      text: 'republish: No service has started on the database of MONGODB_URL yet.\n',
    });
  });
});
