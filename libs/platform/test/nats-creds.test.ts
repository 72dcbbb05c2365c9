import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { consumersOf, type ServiceName } from '@casewatch/contracts';
import {
  type Bus,
  connectBus,
  connectNats,
  createLogger,
  keepStreams,
  natsAccess,
  natsSettings,
  readConfig,
} from '@casewatch/platform';
import { freePort, resolveBinary, startNatsServer, type TempFolder, tempFolder } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { z } from 'zod';
import { importedApi } from '../src/streams/imported-api.ts';
import { jwtAccounts } from './support/jwt-accounts.ts';

const schema = z.object(natsSettings);
const accounts = jwtAccounts();
const log = createLogger('cases', 'silent');

/** What the settings of a service make of its credentials file. */
const accessOf = (url: string, creds: string) =>
  natsAccess(readConfig(schema, { NATS_URL: url, NATS_CREDS: creds }));

describe('a NATS that knows users by credentials files', () => {
  let server: Awaited<ReturnType<typeof startNatsServer>>;
  let folder: TempFolder;
  const buses: Bus[] = [];
  const busOf = async (service: ServiceName) => {
    const bus = await connectBus({ service, log, ...accessOf(server.url, accounts.credsOf(service)) });
    buses.push(bus);
    return bus;
  };
  beforeAll(async () => {
    folder = await tempFolder();
    const { path: binary } = await resolveBinary('nats-server');
    const files = { dataDir: join(folder.path, 'data'), logFile: join(folder.path, 'nats.log') };
    server = await startNatsServer({
      binary,
      port: await freePort(),
      authorization: accounts.configuration,
      ...files,
    });
    const access = accessOf(server.url, accounts.credsOf('streams'));
    const keeper = await keepStreams({ access, replicas: 1, log });
    await keeper.stop();
  });
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.stop()));
    await server.stop();
    await folder.remove();
  });

  it('lets services ask each other, publish to their streams and read them', async () => {
    const [notifier, cases, identity] = [
      await busOf('notifier'),
      await busOf('cases'),
      await busOf('identity'),
    ];
    cases.serve('cases.active', async ({ case_ids }) => ({ case_ids }));
    await cases.connection.flush();
    expect(await notifier.request('cases.active', { case_ids: [7] })).toMatchObject({ case_ids: [7] });
    const deleted = { user_id: 7, partner_id: 1, version: 2 };
    await jetstream(identity.connection).publish('user.deleted', JSON.stringify(deleted));
    const { stream, durable } =
      consumersOf('notifier').find(({ subjects }) => subjects.includes('user.deleted')) ?? {};
    const consumer = await jetstream(notifier.connection, importedApi).consumers.get(
      stream ?? '',
      durable ?? '',
    );
    const message = await consumer.next({ expires: 10_000 });
    expect(message?.json()).toEqual(deleted);
    expect(await message?.ackAck()).toBe(true);
  });

  it('gives each user its own rights alone', async () => {
    const cases = await connectNats('cases', accessOf(server.url, accounts.credsOf('cases')), {
      waits: false,
    });
    const refusal = new Promise((resolve) => cases.subscribe('_INBOX_identity.>', { callback: resolve }));
    expect(String(await refusal)).toMatch(/permissions violation/i);
    await cases.close();
  });

  it('lets nobody in with a password, or with credentials of another operator', async () => {
    const password = { url: server.url, user: 'cases', password: randomBytes(12).toString('hex') };
    await expect(connectNats('cases', password, { waits: false })).rejects.toThrow(/authorization/i);
    const others = accessOf(server.url, jwtAccounts().credsOf('cases'));
    await expect(connectNats('cases', others, { waits: false })).rejects.toThrow(/authorization/i);
  });
});

describe('settings of credentials', () => {
  const creds = accounts.credsOf('cases');
  const faultsOf = (env: Record<string, string>) => {
    try {
      readConfig(schema, { NATS_URL: 'nats://127.0.0.1:4222', ...env });
      return [];
    } catch (error) {
      return (error as Error).message.split('\n  ').slice(1);
    }
  };

  it.each<[string, Record<string, string>, string[]]>([
    ['none', {}, ['NATS_USER: is not set', 'NATS_PASSWORD: is not set']],
    ['a user without a password', { NATS_USER: 'cases' }, ['NATS_PASSWORD: is not set']],
    [
      'both',
      { NATS_USER: 'cases', NATS_PASSWORD: 'password-of-a-test', NATS_CREDS: creds },
      [
        'NATS_USER: is set beside NATS_CREDS: set only one of them',
        'NATS_PASSWORD: is set beside NATS_CREDS: set only one of them',
      ],
    ],
    [
      'a JWT alone',
      { NATS_CREDS: creds.split('-----BEGIN USER')[0] ?? '' },
      ['NATS_CREDS: must be a credentials file of NATS: a user JWT and its seed'],
    ],
    [
      'the name of a file',
      { NATS_CREDS: '/run/secrets/user.creds' },
      ['NATS_CREDS: must be a credentials file of NATS: a user JWT and its seed'],
    ],
  ])('are refused with %s, without a value', (_, env, faults) => {
    expect(faultsOf(env)).toEqual(faults);
  });

  it('are taken alone', () => {
    expect(faultsOf({ NATS_CREDS: creds })).toEqual([]);
    expect(faultsOf({ NATS_USER: 'cases', NATS_PASSWORD: 'password-of-a-test', NATS_CREDS: '' })).toEqual([]);
  });
});
