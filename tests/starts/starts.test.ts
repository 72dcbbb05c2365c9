import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { type ServiceName, serviceNames } from '@casewatch/contracts';
import {
  freePort,
  makeAuthority,
  type Program,
  spawnProgram,
  startMongo,
  startNats,
  type TempFolder,
  type TestMongo,
  type TestNats,
  tempFolder,
  waitFor,
} from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const withDatabase = serviceNames.filter((name) => name !== 'gateway');

/** Promised: the reason is there so long after the first line of the process, ms. */
const promisedMs = 6_000;
/** Two lines about the same dependency are at least so far apart, ms; timers may be early by 1 ms. */
const apartMs = 4_990;
/** For a busy machine: only the times in the log count. */
const patienceMs = 120_000;

type Settings = Record<string, string>;
type Line = { time: string; level: string; msg: string; dependency?: string; reason?: string };

let folder: TempFolder;
let mongo: TestMongo;
let nats: TestNats;
const servers: Server[] = [];
const programs: Program[] = [];
beforeAll(async () => {
  [folder, mongo, nats] = await Promise.all([tempFolder(), startMongo(), startNats()]);
}, patienceMs);
afterAll(async () => {
  await Promise.all(programs.map((program) => program.end('SIGKILL')));
  for (const server of servers) server.close();
  await Promise.all([mongo.stop(), nats.stop()]);
  await folder.remove();
}, patienceMs);

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { d: privatePart, ...publicKey } = { ...privateKey.export({ format: 'jwk' }), kid: 'of-a-test' };
const text = (name: string) => `${name}-aB3xY7kQ9mN2pR5tV8wZ1cD4fG6hJ0`;

/** Settings that hold, of every service; a service reads its own. */
function settingsOf(name: ServiceName): Settings {
  return {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: '0',
    ...nats.user(name),
    ...(name !== 'gateway' && { MONGODB_URL: mongo.url(name) }),
    PRINCIPAL_KEY: JSON.stringify({ ...publicKey, d: privatePart }),
    PRINCIPAL_JWKS: JSON.stringify({ keys: [publicKey] }),
    PUBLIC_URL: 'http://127.0.0.1:4000',
    IDENTITY_URL: 'http://127.0.0.1:1',
    CASES_URL: 'http://127.0.0.1:1',
    WEBHOOKS_URL: 'http://127.0.0.1:1',
    NOTIFIER_URL: 'http://127.0.0.1:1',
    SECRET_PEPPER: text('pepper'),
    CURSOR_KEY: text('cursor'),
    USCIS_TOKEN_URL: 'http://127.0.0.1:1/token',
    USCIS_API_URL: 'http://127.0.0.1:1/case-status',
    USCIS_CLIENT_ID: 'a-client',
    USCIS_CLIENT_SECRET: text('uscis'),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Casewatch <no-reply@casewatch.example>',
    NOTIFIER_ENCRYPTION_KEY: text('notifier'),
    NOTIFIER_HMAC_KEY: text('links'),
    WEBHOOKS_ENCRYPTION_KEY: text('webhooks'),
  };
}

/** A process of a program, with what it has printed. */
function startProgram(path: string, env: Settings, args: string[] = []) {
  const program = spawnProgram(join(root, path), { env, args, stdio: ['ignore', 'pipe', 'pipe'] });
  programs.push(program);
  let printed = '';
  program.child.stdout?.on('data', (chunk) => {
    printed += String(chunk);
  });
  program.child.stderr?.on('data', (chunk) => {
    printed += String(chunk);
  });
  const lines = () =>
    printed.split('\n').flatMap((line) => (line.startsWith('{"level"') ? [JSON.parse(line) as Line] : []));
  return {
    printed: () => printed,
    lines,
    about: (dependency: string) => lines().filter((line) => line.dependency === dependency),
    exitCode: async () => {
      if (program.child.exitCode === null) await once(program.child, 'exit');
      return program.child.exitCode;
    },
    stop: () => program.end('SIGKILL'),
  };
}

const startService = (name: ServiceName, env: Settings) => startProgram(`services/${name}/src/main.ts`, env);
const sinceMs = (first: Line | undefined, line: Line | undefined) =>
  Date.parse(line?.time ?? '') - Date.parse(first?.time ?? '');

/** Every form in which a library might print a user and a password of an address. */
function formsOf(user: string, password: string): string[] {
  const base64 = (value: string) => Buffer.from(value).toString('base64').replace(/=+$/, '');
  const pairs = [`${user}:${password}`, `\0${user}\0${password}`];
  return [user, password, encodeURIComponent(password), ...[...pairs, password].map(base64)];
}

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

/** Accepts connections and says nothing. */
const silentPort = () => listening(createServer((socket) => void socket.on('error', () => undefined)));

/** A NATS server as far as its first line, which offers no TLS. */
const plainNats = () =>
  listening(
    createServer((socket: Socket) => {
      socket.on('error', () => undefined);
      socket.write(
        'INFO {"server_id":"x","version":"2.11.0","headers":true,"max_payload":1024,"proto":1}\r\n',
      );
    }),
  );

/** A server that begins with TLS, with a certificate of an authority that nobody knows. */
const tlsPort = () => {
  const { cert, key } = makeAuthority().issue('127.0.0.1');
  const server = createTlsServer({ cert, key }, (socket) => void socket.on('error', () => undefined));
  server.on('tlsClientError', () => undefined);
  return listening(server);
};

const password = 'Xq7/W0rd+9kQ2';
const encoded = encodeURIComponent(password);
const user = 'wrong-user-7Gh';

/** What is wrong with the bus, and what the log then says about it. */
const busFaults: [string, () => Promise<Settings>, RegExp][] = [
  ['a wrong password', async () => ({ NATS_PASSWORD: password }), /authorization violation/i],
  ['a closed port', async () => ({ NATS_URL: `nats://127.0.0.1:${await freePort()}` }), /refused/],
  ['an unknown host', async () => ({ NATS_URL: 'nats://nats.invalid:4222' }), /ENOTFOUND|EAI_AGAIN/],
  ['a server without TLS', async () => ({ NATS_URL: `tls://127.0.0.1:${await plainNats()}` }), /tls/i],
  ['a server that wants TLS first', async () => ({ NATS_URL: `nats://127.0.0.1:${await tlsPort()}` }), /./],
  [
    'a server that says nothing',
    async () => ({ NATS_URL: `nats://127.0.0.1:${await silentPort()}` }),
    /no answer|timeout/i,
  ],
];

const mongoAt = (port: number, options = '') =>
  `mongodb://${user}:${encoded}@127.0.0.1:${port}/own?serverMonitoringMode=poll${options}`;
const mongoPort = () => Number(/:(\d+)\//.exec(mongo.url('any'))?.[1]);
const databaseUrls: [string, () => Promise<string>, RegExp][] = [
  ['a wrong password', async () => mongoAt(mongoPort()), /authentication failed/i],
  ['a closed port', async () => mongoAt(await freePort()), /ECONNREFUSED/],
  [
    'several closed ports',
    async () => `mongodb://${user}:${encoded}@127.0.0.1:1,127.0.0.1:2/own?replicaSet=rs0`,
    /./,
  ],
  ['an unknown host', async () => `mongodb://${user}:${encoded}@mongo.invalid/own`, /ENOTFOUND|EAI_AGAIN/],
  [
    'an unknown service record',
    async () => `mongodb+srv://${user}:${encoded}@mongo.invalid.example/own`,
    /./,
  ],
  ['a server without TLS', async () => mongoAt(mongoPort(), '&tls=true'), /./],
  ['a server with TLS', async () => mongoAt(await tlsPort()), /./],
  ['a server that says nothing', async () => mongoAt(await silentPort()), /timed? ?out|no answer/i],
];

const databaseFaults = databaseUrls.map(
  ([what, url, reason]) => [what, async () => ({ MONGODB_URL: await url() }), reason] as const,
);

/** Every service with every way of being wrong. */
const pairs = (
  names: readonly ServiceName[],
  rows: readonly (readonly [string, () => Promise<Settings>, RegExp])[],
) => names.flatMap((name) => rows.map((row) => [name, ...row] as const));

async function expectReason(run: ReturnType<typeof startService>, dependency: string, reason: RegExp) {
  await waitFor(() => run.about(dependency).length > 1, {
    what: `two lines about ${dependency}: ${run.printed()}`,
    timeoutMs: patienceMs,
  });
  const [first] = run.lines();
  expect(first?.msg).toBe('settings');
  const [said, again] = run.about(dependency);
  expect(said).toMatchObject({ level: 'warn', msg: 'dependency not available; trying again' });
  expect(said?.reason).toMatch(reason);
  expect(sinceMs(first, said)).toBeLessThan(promisedMs);
  expect(sinceMs(said, again)).toBeGreaterThan(apartMs);
}

describe('a service that starts', () => {
  it.concurrent.each(pairs(serviceNames, busFaults))(
    '(%s) says why the bus is not there: %s',
    async (name, _, fault, reason) => {
      const env = { ...settingsOf(name), ...(await fault()) };
      const run = startService(name, env);
      await expectReason(run, 'nats', reason);
      await run.stop();
      for (const form of formsOf(user, password)) expect(run.printed()).not.toContain(form);
      expect(run.printed()).not.toContain(env.NATS_PASSWORD);
    },
    2 * patienceMs,
  );

  it.concurrent.each(pairs(withDatabase, databaseFaults))(
    '(%s) says why its database is not there: %s',
    async (name, _, fault, reason) => {
      const run = startService(name, { ...settingsOf(name), ...(await fault()) });
      await expectReason(run, 'mongodb', reason);
      await run.stop();
      for (const form of formsOf(user, password)) expect(run.printed()).not.toContain(form);
    },
    2 * patienceMs,
  );

  it.concurrent.each(serviceNames)(
    '(%s) is alive, not ready, and shows what is unavailable before the bus is there',
    async (name) => {
      const [port, metricsPort, closed] = await Promise.all([freePort(), freePort(), freePort()]);
      const run = startService(name, {
        ...settingsOf(name),
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        NATS_URL: `nats://127.0.0.1:${closed}`,
      });
      const at = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
      await waitFor(() => at('/livez').catch(() => null), { what: '/livez', timeoutMs: patienceMs });
      expect([await at('/livez'), await at('/readyz'), await at('/v1/cases')]).toEqual([200, 503, 503]);
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      expect(metrics).toContain('dependency_up{dependency="nats"} 0');
      expect(/dependency_up\{dependency="mongodb"\}/.test(metrics)).toBe(name !== 'gateway');
      await run.stop();
    },
    2 * patienceMs,
  );

  it.concurrent(
    'keeps its port when the bus comes: not one probe is refused',
    async () => {
      const [port, later] = await Promise.all([freePort(), freePort()]);
      const gate = createServer((socket) => {
        const [, host = '', natsPort = ''] = /^nats:\/\/([^:]+):(\d+)/.exec(nats.url) ?? [];
        const server = new (socket.constructor as typeof Socket)();
        server.connect(Number(natsPort), host);
        socket.pipe(server).pipe(socket);
        socket.on('error', () => server.destroy());
        server.on('error', () => socket.destroy());
      });
      const run = startService('cases', {
        ...settingsOf('cases'),
        PORT: String(port),
        NATS_URL: `nats://127.0.0.1:${later}`,
      });
      const probe = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
      await waitFor(() => probe('/livez').catch(() => null), { what: '/livez', timeoutMs: patienceMs });
      servers.push(gate);
      gate.listen(later, '127.0.0.1');
      const answers = new Set<number>();
      await waitFor(
        async () => {
          answers.add(await probe('/livez'));
          return (await probe('/readyz')) === 200;
        },
        { what: 'readiness', timeoutMs: patienceMs },
      );
      expect([...answers]).toEqual([200]);
      expect(await probe('/v1/client/cases')).toBe(401);
      await run.stop();
    },
    2 * patienceMs,
  );

  it.concurrent(
    '(gateway) says which service it does not reach, and (notifier) why it cannot use the mail server',
    async () => {
      const { cert } = makeAuthority().issue('x');
      const gateway = startService('gateway', {
        ...settingsOf('gateway'),
        IDENTITY_URL: 'http://identity.invalid',
        CASES_URL: `https://127.0.0.1:${await tlsPort()}`,
        WEBHOOKS_URL: `https://127.0.0.1:${await silentPort()}`,
        SERVICES_TLS_CA: cert,
      });
      const notifier = startService('notifier', {
        ...settingsOf('notifier'),
        SMTP_URL: `smtp://${user}:${encoded}@127.0.0.1:${await silentPort()}`,
      });
      await expectReason(gateway, 'identity', /ENOTFOUND|EAI_AGAIN/);
      await expectReason(gateway, 'cases', /certificate|signature/i);
      await expectReason(gateway, 'webhooks', /timeout/i);
      await expectReason(gateway, 'notifier', /ECONNREFUSED/);
      await waitFor(() => notifier.about('smtp')[0], { what: 'the mail server', timeoutMs: patienceMs });
      expect(notifier.about('smtp')[0]?.reason).toMatch(/no answer/);
      await Promise.all([gateway.stop(), notifier.stop()]);
      for (const form of formsOf(user, password)) expect(notifier.printed()).not.toContain(form);
    },
    2 * patienceMs,
  );
});

const programsOfSettings: [string, string, string[]][] = [
  ['cases', 'services/cases/src/main.ts', []],
  ['the migration of monitor', 'services/monitor/src/migrate.ts', []],
  ["identity's commands", 'services/identity/src/admin/main.ts', ['partner', 'list']],
  ["cases' commands", 'services/cases/src/admin/main.ts', ['explain', '--case', '7']],
  ["webhooks' commands", 'services/webhooks/src/admin/main.ts', ['explain', '--case', '7', '--user', '1']],
  ["notifier's commands", 'services/notifier/src/admin/main.ts', ['templates']],
  ["monitor's commands", 'services/monitor/src/admin/main.ts', ['status']],
  ['deadletters', 'libs/platform/src/programs/dead-letters.ts', ['list']],
  ['republish', 'libs/platform/src/programs/republish.ts', ['--since', '2026-11-22T10:00:00Z']],
];
const ownerOf = (path: string) => (/services\/(\w+)/.exec(path)?.[1] ?? 'cases') as ServiceName;

describe('a program with a wrong address', () => {
  it.concurrent.each(programsOfSettings)(
    '(%s) ends with 2 and names MONGODB_URL, given itself or as a file, in production too',
    async (_, path, args) => {
      const url = `mongodb://${user}:${password}@127.0.0.1:1/own`;
      const file = join(folder.path, `url-${path.replaceAll('/', '-')}`);
      mkdirSync(join(folder.path), { recursive: true });
      writeFileSync(file, `${url}\n`);
      const given: Settings[] = [
        { MONGODB_URL: url },
        { MONGODB_URL: '', MONGODB_URL_FILE: file, NODE_ENV: 'production' },
      ];
      for (const change of given) {
        const run = startProgram(path, { ...settingsOf(ownerOf(path)), ...change }, args);
        expect([await run.exitCode(), run.printed()]).toEqual([
          2,
          expect.stringMatching(/MONGODB_URL: .*percent-encoded/),
        ]);
        for (const form of [...formsOf(user, password), ...password.split('/')])
          expect(run.printed()).not.toContain(form);
      }
    },
    2 * patienceMs,
  );

  it.concurrent.each([
    ['declare-streams', 'libs/platform/src/programs/declare-streams.ts', []],
    ['declare-streams --keep', 'libs/platform/src/programs/declare-streams.ts', ['--keep']],
  ] as [string, string, string[]][])(
    '(%s) ends with 2 and names NATS_URL',
    async (_, path, args) => {
      const url = `nats://${user}:${encoded}@127.0.0.1:1`;
      const run = startProgram(path, { ...settingsOf('cases'), NATS_URL: url }, args);
      expect([await run.exitCode(), run.printed()]).toEqual([
        2,
        expect.stringMatching(/NATS_URL: .*NATS_USER/),
      ]);
      for (const form of formsOf(user, password)) expect(run.printed()).not.toContain(form);
    },
    2 * patienceMs,
  );

  it.concurrent(
    'says why the database is not there, and ends',
    async () => {
      const letters = startProgram(
        'libs/platform/src/programs/dead-letters.ts',
        { ...settingsOf('cases'), MONGODB_URL: mongoAt(mongoPort()) },
        ['list'],
      );
      const partners = startProgram(
        'services/identity/src/admin/main.ts',
        { ...settingsOf('identity'), MONGODB_URL: mongoAt(mongoPort()) },
        ['partner', 'list'],
      );
      expect([await letters.exitCode(), letters.printed()]).toEqual([
        1,
        expect.stringMatching(/^MongoDB not available: .*Authentication failed/),
      ]);
      expect([await partners.exitCode(), partners.printed()]).toEqual([
        1,
        expect.stringMatching(/^MongoDB not available: .*Authentication failed/),
      ]);
      for (const form of formsOf(user, password)) expect(partners.printed()).not.toContain(form);
    },
    2 * patienceMs,
  );
});
