import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { partNames, settingsTogether } from '../../services/all/src/settings.ts';
import { serviceNames } from '@casewatch/contracts';
import {
  type Program,
  spawnProgram,
  startMongo,
  startNats,
  type TestMongo,
  type TestNats,
  waitFor,
} from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePortBase } from '../../tools/dev/src/ports.ts';

const root = join(import.meta.dirname, '../..');
const patienceMs = 120_000;

let mongo: TestMongo;
let nats: TestNats;
const programs: Program[] = [];
beforeAll(async () => {
  [mongo, nats] = await Promise.all([startMongo(), startNats()]);
}, patienceMs);
afterAll(async () => {
  await Promise.all(programs.map((program) => program.end('SIGKILL')));
  await Promise.all([mongo.stop(), nats.stop()]);
}, patienceMs);

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { d, ...publicKey } = { ...privateKey.export({ format: 'jwk' }), kid: 'of-a-test' };
const text = (name: string) => `${name}-aB3xY7kQ9mN2pR5tV8wZ1cD4fG6hJ0`;

/** The environment of six deployments, as one. */
function environment(port: number): Record<string, string> {
  const parts = partNames.map((part) => [
    part,
    {
      NODE_ENV: 'development',
      ...nats.user(part),
      ...(part !== 'gateway' && part !== 'streams' && { MONGODB_URL: mongo.url(part) }),
      CURSOR_KEY: text(`cursor-${part}`),
    },
  ]);
  const together = settingsTogether(Object.fromEntries(parts));
  const { GATEWAY__CURSOR_KEY, MONITOR__CURSOR_KEY, NOTIFIER__CURSOR_KEY, STREAMS__CURSOR_KEY, ...rest } =
    together;
  return {
    ...rest,
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(port),
    PRINCIPAL_KEY: JSON.stringify({ ...publicKey, d }),
    PRINCIPAL_JWKS: JSON.stringify({ keys: [publicKey] }),
    PUBLIC_URL: 'http://127.0.0.1:4000',
    SECRET_PEPPER: text('pepper'),
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

function run(env: Record<string, string>, path = 'services/all/src/main.ts', args: string[] = []) {
  const program = spawnProgram(join(root, path), { env, args, stdio: ['ignore', 'pipe', 'pipe'] });
  programs.push(program);
  // Not `exit`: what it has printed may arrive later.
  const closed = once(program.child, 'close');
  let printed = '';
  for (const stream of [program.child.stdout, program.child.stderr])
    stream?.on('data', (chunk) => {
      printed += String(chunk);
    });
  return {
    program,
    printed: () => printed,
    exitCode: async () => {
      await closed;
      return program.child.exitCode;
    },
  };
}

const statusOf = (port: number, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status,
    () => 0,
  );

describe('all services in one process', () => {
  it(
    'end with 2 before anything starts, and name what is wrong for each of them, and no value',
    async () => {
      const wrong = {
        ...environment(await freePortBase()),
        CASES__NATS_PASSWORD: '',
        PUBLIC_URL: 'not-an-address',
        IDENTITY__MONGODB_URL: 'mongodb://u:a/b@127.0.0.1/identity',
        MAIL_FROM: '',
      };
      const started = run(wrong);
      expect(await started.exitCode()).toBe(2);
      const printed = started.printed();
      for (const name of ['CASES__NATS_PASSWORD', 'PUBLIC_URL', 'IDENTITY__MONGODB_URL', 'MAIL_FROM'])
        expect(printed).toContain(`\n  ${name}: `);
      expect(printed).not.toContain('a/b');
      expect(printed).not.toContain('not-an-address');
      // Nothing had started.
      expect(printed).not.toContain('"msg":"settings"');
    },
    patienceMs,
  );

  it(
    'start together, are ready together, and stop together: the database of one decides for all',
    async () => {
      const port = await freePortBase();
      const env = environment(port);
      const started = run(env);
      await waitFor(async () => (await statusOf(port, '/readyz')) === 200, {
        timeoutMs: patienceMs,
        what: 'the start',
      });
      expect(await statusOf(port, '/livez')).toBe(200);
      const settings = started
        .printed()
        .split('\n')
        .filter((line) => line.includes('"msg":"settings"'));
      expect(settings.map((line) => JSON.parse(line).service).sort()).toEqual([...partNames].sort());
      for (const name of serviceNames) expect(started.printed()).toContain(`"service":"${name}"`);

      // The same words as in six containers, with the same rights: those of one service.
      const admin = 'services/all/src/admin/main.ts';
      const created = run(env, admin, [
        'partner',
        'create',
        '--name',
        'A Firm',
        '--email',
        'a@firm.example',
        '--json',
      ]);
      expect([await created.exitCode(), created.printed()]).toEqual([0, expect.stringContaining('"A Firm"')]);
      const others: [string[], RegExp][] = [
        [['deadletters', 'list', 'webhooks'], /^no dead letters/],
        [['republish', 'cases', '--since', '2026-01-01T00:00:00Z'], /The relay of cases publishes/],
        [['monitor', 'status', '--json'], /"breaker"|"state"/],
        [['statuses', 'review'], /./],
      ];
      for (const [words, expected] of others) {
        const command = run(env, admin, words);
        expect([words, await command.exitCode(), command.printed()]).toEqual([
          words,
          0,
          expect.stringMatching(expected),
        ]);
      }
      const unknown = run(env, admin, ['explain', 'case', '7']);
      expect([await unknown.exitCode(), unknown.printed()]).toEqual([1, 'There is no such case.\n']);
      const nobody = run(env, admin, ['deadletters', 'list']);
      expect([await nobody.exitCode(), nobody.printed()]).toEqual([
        2,
        expect.stringContaining('identity|cases'),
      ]);

      started.program.child.kill('SIGTERM');
      expect(await started.exitCode()).toBe(0);
      expect(started.printed()).toContain('"msg":"stopped"');

      // The database of cases belongs to cases: monitor does not start on it, and nobody goes on without monitor.
      const mixed = run({ ...env, MONITOR__MONGODB_URL: mongo.url('cases') });
      expect(await mixed.exitCode()).not.toBe(0);
      expect(mixed.printed()).toMatch(/monitor/);
      expect(await statusOf(port, '/livez')).toBe(0);
    },
    3 * patienceMs,
  );

  it(
    'have their databases made before they start, each by its own user alone',
    async () => {
      const migrate = 'services/all/src/migrate.ts';
      const fresh = Object.fromEntries(
        serviceNames
          .filter((name) => name !== 'gateway')
          .map((name) => [`${name.toUpperCase()}__MONGODB_URL`, mongo.url(`migrated-${name}`)]),
      );
      const env = { ...environment(await freePortBase()), ...fresh };
      const migrated = run(env, migrate);
      expect([await migrated.exitCode(), migrated.printed()]).toEqual([0, expect.anything()]);
      const done = migrated
        .printed()
        .split('\n')
        .filter((line) => line.includes('"msg":"database is up to date"'))
        .map((line) => JSON.parse(line).service);
      expect(done).toEqual(serviceNames.filter((name) => name !== 'gateway'));
      // The database of cases belongs to cases now.
      const mixed = run({ ...env, MONITOR__MONGODB_URL: mongo.url('migrated-cases') }, migrate);
      expect([await mixed.exitCode(), mixed.printed()]).toEqual([
        2,
        expect.stringMatching(/^monitor: .*cases/m),
      ]);
    },
    2 * patienceMs,
  );

  it(
    'have their dependencies tried, each with the settings of its service, and no value is printed',
    async () => {
      const program = 'services/all/src/preflight.ts';
      const env = environment(await freePortBase());
      const tried = run(env, program);
      // Nobody listens where mails and the government would be.
      expect([await tried.exitCode(), tried.printed()]).toEqual([1, expect.anything()]);
      const lines = tried.printed().trim().split('\n');
      const verdicts = (subject: string) =>
        lines.flatMap((line) => {
          const [, verdict, part] = new RegExp(`^(\\w+) +(\\w+) ${subject}: `).exec(line) ?? [];
          return part === undefined ? [] : [`${part} ${verdict}`];
        });
      expect(verdicts('NATS')).toEqual(partNames.map((part) => `${part} ok`));
      for (const name of serviceNames.filter((each) => each !== 'gateway'))
        expect(lines).toContainEqual(
          expect.stringMatching(new RegExp(`^ok +${name} MongoDB: version .*, rights and database\\.$`)),
        );
      expect(verdicts('SMTP')).toEqual(['notifier wrong']);
      expect(lines.filter((line) => line.startsWith('wrong')).map((line) => line.split(/ +/)[1])).toEqual([
        'monitor',
        'notifier',
      ]);
      for (const [name, value] of Object.entries(env))
        if (/PASSWORD|SECRET|PEPPER|_KEY$|MONGODB_URL/.test(name))
          expect(tried.printed()).not.toContain(value);

      const wrong = run({ ...env, CASES__NATS_PASSWORD: '', SMTP_URL: 'smtp://u:a/b@127.0.0.1' }, program);
      expect(await wrong.exitCode()).toBe(2);
      for (const name of ['CASES__NATS_PASSWORD', 'SMTP_URL'])
        expect(wrong.printed()).toContain(`\n  ${name}: `);
      expect(wrong.printed()).not.toContain('a/b');

      const stranger = run({ ...env, CASES__NATS_PASSWORD: 'of-nobody-0123456789' }, program);
      expect(await stranger.exitCode()).toBe(1);
      expect(stranger.printed()).toMatch(/^wrong +cases NATS: .*refuses the user or the password/m);
      expect(stranger.printed()).toMatch(/^ok +webhooks NATS: /m);
    },
    3 * patienceMs,
  );

  it(
    'are alive and not ready while the database of one of them is missing',
    async () => {
      const port = await freePortBase();
      const started = run({
        ...environment(port),
        WEBHOOKS__MONGODB_URL: 'mongodb://127.0.0.1:1/webhooks?serverSelectionTimeoutMS=500',
      });
      await waitFor(() => started.printed().includes('"dependency":"mongodb"'), {
        timeoutMs: patienceMs,
        what: 'the reason in the log',
      });
      // Cases and the gateway are up: their own /readyz would be 200 in a process of their own.
      await waitFor(async () => (await statusOf(port + 2, '/livez')) === 200, {
        what: 'cases',
        timeoutMs: patienceMs,
      });
      for (const place of [port, port + 2]) {
        expect([place - port, await statusOf(place, '/livez')]).toEqual([place - port, 200]);
        expect([place - port, await statusOf(place, '/readyz')]).toEqual([place - port, 503]);
      }
      await started.program.end('SIGKILL');
    },
    patienceMs,
  );
});
