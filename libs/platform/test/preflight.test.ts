import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { baseSettings, preflight, storeSettings } from '@casewatch/platform';
import { mongodbCheck, versionFault } from '@casewatch/platform/database';
import {
  freePort,
  resolveBinary,
  startNats,
  startNatsServer,
  type TestNats,
  tempFolder,
  waitFor,
} from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { z } from 'zod';
import { jwtAccounts } from './support/jwt-accounts.ts';

const config = z.object({ ...baseSettings, ...storeSettings });
const ends: (() => Promise<unknown>)[] = [];

/** A mongod of this file, with what the servers of other tests do not have. */
async function startMongod(...args: string[]): Promise<string> {
  const folder = await tempFolder();
  const port = await freePort();
  const { path } = await resolveBinary('mongod');
  const all = ['--dbpath', folder.path, '--port', String(port), '--bind_ip', '127.0.0.1', ...args];
  const mongod: ChildProcess = spawn(path, all, { stdio: 'ignore' });
  const exited = once(mongod, 'exit');
  ends.push(async () => {
    mongod.kill();
    await exited;
    await folder.remove();
  });
  return `127.0.0.1:${port}`;
}

async function asAdmin<T>(url: string, work: (db: mongoose.mongo.Db) => Promise<T>): Promise<T> {
  const client = new mongoose.mongo.MongoClient(
    `${url}/admin?directConnection=true&serverSelectionTimeoutMS=60000`,
  );
  try {
    return await work((await client.connect()).db());
  } finally {
    await client.close();
  }
}

describe('preflight', () => {
  let nats: TestNats;
  let place: string;
  const password = (user: string) => `password-of-${user}`;
  const urlOf = (user: string, secret = password(user), database = 'cases') =>
    `mongodb://${user}:${secret}@${place}/${database}?authSource=cases`;

  beforeAll(async () => {
    nats = await startNats();
    const keys = await tempFolder();
    const keyFile = join(keys.path, 'key');
    await writeFile(keyFile, randomBytes(64).toString('base64'));
    await chmod(keyFile, 0o400);
    place = await startMongod('--replSet', 'rs0', '--keyFile', keyFile);
    const local = `mongodb://${place}`;
    await asAdmin(local, async (db) => {
      const members = [{ _id: 0, host: place }];
      await db.command({ replSetInitiate: { _id: 'rs0', members } });
      await waitFor(async () => (await db.command({ hello: 1 })).isWritablePrimary, { timeoutMs: 60_000 });
      await db.command({ createUser: 'root', pwd: password('root'), roles: ['root'] });
    });
    const root = `mongodb://root:${password('root')}@${place}`;
    const users = [
      ['cases', [{ role: 'readWrite', db: 'cases' }]],
      ['reader', [{ role: 'read', db: 'cases' }]],
      [
        'watcher',
        [
          { role: 'readWrite', db: 'cases' },
          { role: 'clusterMonitor', db: 'admin' },
          { role: 'hostManager', db: 'admin' },
        ],
      ],
    ] as const;
    await asAdmin(root, async (db) => {
      for (const [user, roles] of users)
        await db.client.db('cases').command({ createUser: user, pwd: password(user), roles });
    });
  });
  afterAll(async () => {
    await nats.stop();
    for (const end of ends.reverse()) await end();
  });

  async function run(over: Record<string, string> = {}) {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const env = { NODE_ENV: 'test', PORT: '0', MONGODB_URL: urlOf('cases'), ...nats.user('cases'), ...over };
    const output = { out: print, err: print };
    const code = await preflight({ name: 'cases', config }, [mongodbCheck('cases')], env, output, 0);
    const text = lines.join('\n');
    // No value of a setting.
    for (const value of [
      password('cases'),
      password('reader'),
      env.NATS_PASSWORD,
      'wrong-secret',
      place,
      'nowhere',
    ].filter((value) => value !== ''))
      expect(text).not.toContain(value);
    return { code, text };
  }

  it('finds nothing wrong where all works, and leaves nothing behind', async () => {
    const { code, text } = await run();
    expect(text.split('\n')).toEqual([
      'ok      cases DNS: every name in an address has an address.',
      expect.stringMatching(/^ok {6}cases MongoDB: version 6\.\d+\.\d+, rights and database\.$/),
      expect.stringMatching(/^unknown cases MongoDB: transactionLifetimeLimitSeconds cannot be read/),
      'ok      cases NATS: user, rights, streams and consumers.',
    ]);
    expect(code).toBe(0);
    const names = await asAdmin(`mongodb://root:${password('root')}@${place}`, (db) =>
      db.client.db('cases').listCollections().toArray(),
    );
    expect(names).toEqual([]);
  });

  it.each([
    [
      'a wrong password',
      () => ({ MONGODB_URL: urlOf('cases', 'wrong-secret') }),
      /MongoDB: .*refuses the user or the password/,
    ],
    [
      'a user that may only read',
      () => ({ MONGODB_URL: urlOf('reader') }),
      /MongoDB: the user of MONGODB_URL needs readWrite/,
    ],
    [
      'another database',
      () => ({ MONGODB_URL: urlOf('cases', undefined, 'other') }),
      /MongoDB: the user of MONGODB_URL needs readWrite/,
    ],
    ['a closed port', () => ({ MONGODB_URL: 'mongodb://127.0.0.1:1/cases' }), /MongoDB: .*nobody listens/],
    [
      'TLS that the server has not',
      () => ({ MONGODB_URL: `${urlOf('cases')}&tls=true` }),
      /MongoDB: .*(TLS|certificate|fails)/,
    ],
    [
      'a name without an address',
      () => ({ MONGODB_URL: 'mongodb://nowhere.invalid/cases' }),
      /DNS: MONGODB_URL: its host has no address here/,
    ],
    [
      'the second of two names',
      () => ({ NATS_URL: 'nats://127.0.0.1:1,nats://nowhere.invalid:4222' }),
      /DNS: NATS_URL: its host 2 has no address here/,
    ],
    [
      'a wrong password of NATS',
      () => ({ NATS_PASSWORD: 'wrong-secret' }),
      /NATS: .*refuses the user or the password/,
    ],
    ['the user of another service', () => nats.user('gateway'), /NATS: the user lacks rights/],
    ['a closed port of NATS', () => ({ NATS_URL: 'nats://127.0.0.1:1' }), /NATS: .*nobody listens/],
    [
      'TLS that NATS has not',
      () => ({ NATS_URL: nats.url.replace('nats:', 'tls:') }),
      /NATS: .*(TLS|certificate)/,
    ],
  ])('says in one sentence that %s is wrong', async (_what, over, sentence) => {
    const { code, text } = await run(over());
    expect(text).toMatch(sentence);
    expect(code).toBe(1);
    const faults = text.split('\n').filter((line) => line.startsWith('wrong'));
    for (const fault of faults) expect(fault).toMatch(/\.$/);
  });

  it('says that settings are wrong before it tries anything', async () => {
    const { code, text } = await run({ MONGODB_URL: 'mongodb://127.0.0.1:1' });
    expect(code).toBe(2);
    expect(text).toContain('MONGODB_URL: names no database');
  });

  /** With the time of a new pod. `after` runs after each try of MongoDB. */
  async function runAsNewPod(url: string, after: () => void): Promise<{ code: number; lines: string[] }> {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const { subject, run: once } = mongodbCheck('cases');
    const check = { subject, run: (settings: Parameters<typeof once>[0]) => once(settings).finally(after) };
    const env = { NODE_ENV: 'test', PORT: '0', MONGODB_URL: url, ...nats.user('cases') };
    const output = { out: print, err: print };
    return { code: await preflight({ name: 'cases', config }, [check], env, output, 60_000), lines };
  }

  it('tries again what does not answer: network policies learn the address of a new pod some seconds late', async () => {
    const port = await freePort();
    const [host, mongodPort] = place.split(':');
    const way = createServer((socket) => {
      const onward = connect(Number(mongodPort), host);
      socket.on('error', () => onward.destroy()).pipe(onward);
      onward.on('error', () => socket.destroy()).pipe(socket);
    });
    let tries = 0;
    const url = urlOf('cases').replace(place, `127.0.0.1:${port}`);
    const { code, lines } = await runAsNewPod(`${url}&directConnection=true`, () => {
      tries += 1;
      if (!way.listening) way.listen(port, '127.0.0.1');
    });
    way.close();
    expect([code, lines.filter((line) => line.startsWith('wrong'))]).toEqual([0, []]);
    expect(tries).toBeGreaterThan(1);
  });

  it('tries once what is refused', async () => {
    let tries = 0;
    const { code } = await runAsNewPod(urlOf('cases', 'wrong-secret'), () => {
      tries += 1;
    });
    expect([code, tries]).toEqual([1, 1]);
  });

  it('says that a cluster of NATS refuses the password, although its members name each other again and again', async () => {
    await using stack = new AsyncDisposableStack();
    const binary = (await resolveBinary('nats-server')).path;
    const routes = [await freePort(), await freePort()];
    const ports = [await freePort(), await freePort()];
    for (const [i, port] of ports.entries()) {
      const folder = await tempFolder();
      stack.defer(() => folder.remove());
      const server = await startNatsServer({
        binary,
        port,
        dataDir: join(folder.path, 'data'),
        logFile: join(folder.path, 'nats.log'),
        authorization: [
          `cluster { name: two, listen: "127.0.0.1:${routes[i]}", routes: ["nats://127.0.0.1:${routes[1 - i]}"] }`,
          'authorization { user: cases, password: right }',
        ].join('\n'),
      });
      stack.defer(() => server.stop());
    }
    const [first = 0] = ports;
    await waitFor(async () => (await infoOf(first)).connect_urls?.length === 2, {
      what: 'the names of both',
    });
    const { code, text } = await run({
      NATS_URL: `nats://127.0.0.1:${first}`,
      NATS_USER: 'cases',
      NATS_PASSWORD: 'wrong-secret',
    });
    expect(text).toMatch(/wrong {3}cases NATS: .*the server refuses the user or the password/);
    expect(code).toBe(1);
  });

  /** The first line of a NATS server. */
  async function infoOf(port: number): Promise<{ connect_urls?: string[] }> {
    const socket = connect(port, '127.0.0.1');
    const [line] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return JSON.parse(line.toString().replace(/^INFO /, ''));
  }

  it('says that streams are not declared yet, which is no fault', async () => {
    const bare = await startNats({ declares: false });
    const { code, text } = await run(bare.user('cases'));
    expect(text).toMatch(/unknown cases NATS: streams and consumers are not declared yet/);
    expect(code).toBe(0);
    await bare.stop();
  });

  it('tries the user that declares the streams, before and after they are declared', async () => {
    const bare = await startNats({ declares: false });
    const ofStreams = async (server: TestNats, user: string) => {
      const lines: string[] = [];
      const print = (line: string) => void lines.push(line);
      const env = { NODE_ENV: 'test', PORT: '0', ...server.user(user) };
      const subject = { name: 'streams' as const, config: z.object(baseSettings) };
      const code = await preflight(subject, [], env, { out: print, err: print }, 0);
      return { code, text: lines.at(-1) };
    };
    for (const server of [bare, nats])
      expect(await ofStreams(server, 'streams')).toEqual({
        code: 0,
        text: 'ok      streams NATS: user, rights and JetStream.',
      });
    expect(await ofStreams(nats, 'gateway')).toEqual({
      code: 1,
      text: expect.stringMatching(/^wrong {3}streams NATS: /),
    });
    await bare.stop();
  });

  it('tries credentials of NATS in place of a password, and finds those of another service', async () => {
    const accounts = jwtAccounts();
    const folder = await tempFolder();
    const server = await startNatsServer({
      binary: (await resolveBinary('nats-server')).path,
      port: await freePort(),
      dataDir: join(folder.path, 'data'),
      logFile: join(folder.path, 'nats.log'),
      authorization: accounts.configuration,
    });
    // Signing for the server is slow JavaScript: on a busy machine the connection may not be there in time.
    const withCreds = (creds: string) =>
      waitFor(
        async () => {
          const found = await run({
            NATS_URL: server.url,
            NATS_USER: '',
            NATS_PASSWORD: '',
            NATS_CREDS: creds,
          });
          return found.text.includes('no answer in time') ? false : found;
        },
        { timeoutMs: 150_000, what: 'an answer of NATS' },
      );
    const own = accounts.credsOf('cases');
    const { code, text } = await withCreds(own);
    expect(text).toMatch(/unknown cases NATS: streams and consumers are not declared yet/);
    expect(code).toBe(0);
    const ofGateway = accounts.credsOf('gateway');
    expect((await withCreds(ofGateway)).text).toMatch(
      /wrong {3}cases NATS: the user lacks rights \(.*\): sign those of this release into NATS_CREDS\./,
    );
    // The JWT of one user with the seed of another.
    const seed = '-----BEGIN USER NKEY SEED-----';
    const strange = await withCreds(`${own.split(seed)[0]}${seed}${ofGateway.split(seed)[1]}`);
    expect(strange.text).toMatch(
      /wrong {3}cases NATS: NATS_URL, NATS_CREDS and NATS_TLS_CA do not connect: .*refuses the user/,
    );
    expect(strange.code).toBe(1);
    for (const line of own.split('\n').filter((each) => /^[A-Za-z0-9._-]{20,}$/.test(each)))
      expect(text).not.toContain(line);
    expect((await withCreds('not-credentials')).code).toBe(2);
    await server.stop();
    await folder.remove();
  }, 600_000);

  it('finds the limit of transactions wrong where it may read it', async () => {
    const root = `mongodb://root:${password('root')}@${place}`;
    const limit = (seconds: number) =>
      asAdmin(root, (db) => db.command({ setParameter: 1, transactionLifetimeLimitSeconds: seconds }));
    const MONGODB_URL = urlOf('watcher');
    await limit(60);
    expect(await run({ MONGODB_URL })).toEqual({
      code: 1,
      text: expect.stringContaining('wrong   cases MongoDB: transactionLifetimeLimitSeconds is 60: set 5'),
    });
    await limit(5);
    const { code, text } = await run({ MONGODB_URL });
    expect(text).toContain('ok      cases MongoDB: transactionLifetimeLimitSeconds is 5.');
    expect(code).toBe(0);
  });

  it('finds the database of another service, and a server without a replica set', async () => {
    await asAdmin(`mongodb://root:${password('root')}@${place}`, (db) =>
      db.client
        .db('cases')
        .collection<{ _id: string; service: string }>('database_owner')
        .insertOne({ _id: 'owner', service: 'webhooks' }),
    );
    expect((await run()).text).toContain(
      'MONGODB_URL names the database of webhooks: cases needs one of its own.',
    );
    const alone = await startMongod();
    await asAdmin(`mongodb://${alone}`, (db) => db.command({ ping: 1 }));
    const { code, text } = await run({ MONGODB_URL: `mongodb://${alone}/cases` });
    expect(text).toContain(
      'wrong   cases MongoDB: the server is no member of a replica set; transactions need one.',
    );
    expect(code).toBe(1);
  });

  it.each([
    ['5.0.31', /version 5\.0\.31 is too old/],
    ['4.4.0', /too old/],
    ['6.0.0', null],
    ['10.1.2', null],
  ])('judges the version %s', (version, fault) => {
    if (fault === null) expect(versionFault(version)).toBeNull();
    else expect(versionFault(version)?.text).toMatch(fault);
  });
});
