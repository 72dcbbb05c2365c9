import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { serviceNames } from '@casewatch/contracts';
import { natsUsers, readConfig, streamsConfig } from '@casewatch/platform';
import { freePort, resolveBinary, startNatsServer } from '@casewatch/dev/servers';
import { tempFolder } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { readSettings } from '../../../services/all/src/settings.ts';
import { environmentFiles } from '../src/kubernetes-secrets/environment-files.ts';
import {
  keysOf,
  type Made,
  makeSecrets,
  type Secrets,
  settingsFor,
} from '../src/kubernetes-secrets/secrets.ts';
import { ROOT } from '../src/options.ts';
import { serviceConfigs } from '../src/settings-tables/service-configs.ts';

const given = {
  NATS_URL: 'tls://nats.example:4222',
  MONGODB_URL: 'mongodb://a.example:27017,b.example:27017/?replicaSet=rs0&tls=true&authSource=admin',
  SMTP_URL: 'smtps://sender:q7Xk0Pz3Lm9R%2Fw@mail.example:465',
  USCIS_CLIENT_ID: 'k2J9x0Qm4Zp7',
  USCIS_CLIENT_SECRET: 'Zx8kq0pLm3nR7tVw',
};
/** What a message must never show. */
const confidential = ['q7Xk0Pz3Lm9R', 'Zx8kq0pLm3nR7tVw'];

describe('the Secrets of the production overlay', () => {
  it('have the files that the settings of each service name, and the service accepts them', () => {
    const secrets = makeSecrets(given, {});
    expect(keysOf('notifier')).toEqual(expect.arrayContaining(['SMTP_URL', 'NOTIFIER_HMAC_KEY', 'NATS_URL']));
    for (const service of serviceNames) {
      const secret = secrets[`${service}-secrets`] ?? {};
      expect(Object.keys(secret).sort()).toEqual([...new Set(keysOf(service))].sort());
      const shape = serviceConfigs[service].shape;
      for (const key of Object.keys(secret)) expect(shape).toHaveProperty(key);
      const others = {
        PORT: '8080',
        PUBLIC_URL: 'https://cases.example',
        APP_URL: 'https://cases.example',
        MAIL_FROM: 'Casewatch <no-reply@cases.example>',
        TRANSPORT_SECURITY: 'mesh',
        NODE_ENV: 'production',
        NATS_USER: service,
        IDENTITY_URL: 'http://identity',
        CASES_URL: 'http://cases',
        WEBHOOKS_URL: 'http://webhooks',
        NOTIFIER_URL: 'http://notifier',
        USCIS_TOKEN_URL: 'https://api-int.uscis.gov/oauth/accesstoken',
        USCIS_API_URL: 'https://api-int.uscis.gov/case-status',
        USCIS_RATE_PER_SECOND: '10',
        USCIS_DAILY_BUDGET: '400000',
        USCIS_QUOTA_RESET_TZ: 'America/New_York',
      };
      const known = Object.fromEntries(Object.entries(others).filter(([name]) => name in shape));
      expect(() => readConfig(serviceConfigs[service], { ...known, ...secret })).not.toThrow();
    }
    expect(Object.keys(secrets['streams-secrets'] ?? {}).sort()).toEqual(['NATS_PASSWORD', 'NATS_URL']);
  });

  it('agree with each other: users, passwords and the key pair', () => {
    const secrets = makeSecrets(given, {});
    const users = secrets['nats-users'] ?? {};
    expect(Object.keys(users).sort()).toEqual([...natsUsers].sort());
    for (const user of natsUsers.filter((name) => name !== 'operator'))
      expect(secrets[`${user}-secrets`]?.NATS_PASSWORD).toBe(users[user]);
    for (const service of serviceNames.filter((name) => name !== 'gateway')) {
      const password = secrets['mongodb-users']?.[service];
      expect(password).toHaveLength(43);
      expect(secrets[`${service}-secrets`]?.MONGODB_URL).toBe(
        `mongodb://${service}:${password}@a.example:27017,b.example:27017/${service}?replicaSet=rs0&tls=true&authSource=admin`,
      );
    }
    const { kid, d } = JSON.parse(secrets['gateway-secrets']?.PRINCIPAL_KEY ?? '');
    expect(d).toHaveLength(43);
    for (const service of ['identity', 'cases', 'notifier', 'webhooks']) {
      const { keys } = JSON.parse(secrets[`${service}-secrets`]?.PRINCIPAL_JWKS ?? '');
      expect(keys).toEqual([expect.objectContaining({ kid, kty: 'EC' })]);
      expect(keys[0]).not.toHaveProperty('d');
    }
    const cursorKeys = ['identity', 'cases', 'webhooks'].map(
      (name) => secrets[`${name}-secrets`]?.CURSOR_KEY,
    );
    expect(new Set(cursorKeys).size).toBe(3);
  });

  it('keep what was made, and take what is given anew', () => {
    const made: Partial<Made> = {};
    const first = makeSecrets(given, made);
    const stored = JSON.parse(JSON.stringify(made)) as Made;
    const second = makeSecrets({ ...given, NATS_URL: 'tls://other.example:4222' }, stored);
    for (const [name, keys] of Object.entries(first))
      for (const [key, value] of Object.entries(keys))
        expect(second[name]?.[key]).toBe(key === 'NATS_URL' ? 'tls://other.example:4222' : value);
    // What a later release needs in addition is made; the rest stays.
    delete stored.values['cases/CURSOR_KEY'];
    const third = makeSecrets(given, stored);
    expect(third['cases-secrets']?.CURSOR_KEY).not.toBe(first['cases-secrets']?.CURSOR_KEY);
    expect(third['identity-secrets']).toEqual(first['identity-secrets']);
  });

  it('keep what a rotation gave, so that the next release does not undo it', () => {
    const made: Partial<Made> = {};
    const first = makeSecrets(given, made);
    const stored = () => JSON.parse(JSON.stringify(made)) as Made;
    const pepper = `Nw7qT2mX9kR4vZ6bH1jL8sD3fG5yP0cA_${'e'.repeat(10)} ${first['identity-secrets']?.SECRET_PEPPER}`;
    const natsPassword = 'qB6tW1nV8mZ3xK9rJ5hG2fD7sL4pY0cTeUiOaQbN3kV';
    const key = 'k9Jx0Qm4Zp7Wn2Rt5Yv8Lb1Hc3Gd6Fs_AqEuIoPlMzX';
    const url = `mongodb://cases.2:${key}@a.example:27017/cases?replicaSet=rs0&tls=true&authSource=admin`;
    const rotation = { SECRET_PEPPER: pepper, NATS_PASSWORD_CASES: natsPassword, MONGODB_URL_CASES: url };
    makeSecrets({ ...given, ...rotation }, made);
    // The lines of secrets may go from the file again: they are kept.
    const later = makeSecrets({ ...given, MONGODB_URL_CASES: url }, stored());
    expect(later['identity-secrets']?.SECRET_PEPPER).toBe(pepper);
    expect([later['cases-secrets']?.NATS_PASSWORD, later['nats-users']?.cases]).toEqual([
      natsPassword,
      natsPassword,
    ]);
    expect(later['cases-secrets']?.MONGODB_URL).toBe(url);
    const users = first['mongodb-users'];
    expect(later['mongodb-users']).toEqual({ ...users, 'cases.2': key });
    // The last step drops the first user: it does not come back.
    const last = stored();
    delete last.values['mongodb/cases'];
    const { cases: _, ...others } = { ...users };
    expect(makeSecrets({ ...given, MONGODB_URL_CASES: url }, last)['mongodb-users']).toEqual({
      ...others,
      'cases.2': key,
    });
  });

  it('take both halves of a new key of the gateway, in turns', () => {
    const made: Partial<Made> = {};
    const first = makeSecrets(given, made);
    const other: Partial<Made> = {};
    const second = makeSecrets(given, other);
    const keysIn = (secrets: Secrets) => JSON.parse(secrets['cases-secrets']?.PRINCIPAL_JWKS ?? '').keys;
    const both = JSON.stringify({ keys: [...keysIn(first), ...keysIn(second)] });
    const between = makeSecrets({ ...given, PRINCIPAL_JWKS: both }, made);
    expect(between['gateway-secrets']).toEqual(first['gateway-secrets']);
    const newKey = second['gateway-secrets']?.PRINCIPAL_KEY ?? '';
    makeSecrets({ ...given, PRINCIPAL_KEY: newKey }, made);
    const later = makeSecrets(given, made);
    expect(keysIn(later)).toHaveLength(2);
    expect(later['gateway-secrets']?.PRINCIPAL_KEY).toBe(newKey);
  });

  it('take a value for one service, a complete address, and what is used only sometimes', () => {
    const own = 'mongodb+srv://me:Kp3xQz8Lw0Rt6Yv1@cluster.example/watching?tls=true';
    const secrets = makeSecrets(
      { ...given, MONGODB_URL_MONITOR: own, TWILIO_AUTH_TOKEN: '0f3a9c1b7e5d2a4c6b8f0e1d3c5b7a9f' },
      {},
    );
    expect(secrets['monitor-secrets']?.MONGODB_URL).toBe(own);
    expect(secrets['cases-secrets']?.MONGODB_URL).toContain('@a.example:27017');
    expect(settingsFor(secrets)).toEqual([
      {
        service: 'notifier',
        setting: 'TWILIO_AUTH_TOKEN_FILE=/run/secrets/casewatch/TWILIO_AUTH_TOKEN',
      },
    ]);
    expect(settingsFor(makeSecrets(given, {}))).toEqual([]);
  });

  describe('with credentials of NATS', () => {
    const credsOf = (user: string) =>
      `-----BEGIN NATS USER JWT-----\n${user}.Kp3xQz8Lw0Rt6Yv1\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\nSU${user}\n------END USER NKEY SEED------`;
    const owners = [...serviceNames, 'streams'];
    const creds = Object.fromEntries(
      owners.map((owner) => [`NATS_CREDS_${owner.toUpperCase()}`, credsOf(owner)]),
    );

    it('give each service its file in place of a password, and say which settings the overlay needs', () => {
      const secrets = makeSecrets({ ...given, ...creds }, {});
      for (const owner of owners) {
        expect(secrets[`${owner}-secrets`]?.NATS_CREDS).toBe(credsOf(owner));
        expect(secrets[`${owner}-secrets`]).not.toHaveProperty('NATS_PASSWORD');
      }
      expect(secrets).not.toHaveProperty('nats-users');
      expect(settingsFor(secrets)).toEqual(
        owners.flatMap((service) => [
          { service, setting: 'NATS_CREDS_FILE=/run/secrets/casewatch/NATS_CREDS' },
          { service, setting: 'NATS_USER=' },
          { service, setting: 'NATS_PASSWORD_FILE=' },
        ]),
      );
      // With these settings the service takes them: base has a user and the file of a password.
      const shape = { NATS_USER: '', NATS_PASSWORD_FILE: '', NATS_CREDS: credsOf('streams') };
      expect(
        readConfig(streamsConfig, { NODE_ENV: 'test', NATS_URL: 'nats://127.0.0.1', ...shape }),
      ).toMatchObject({
        NATS_CREDS: credsOf('streams'),
      });
    });

    it.each<[string, Record<string, string>, RegExp]>([
      [
        'one that is missing',
        { ...creds, NATS_CREDS_CASES: '' },
        /NATS_CREDS of cases: is not given, as NATS_CREDS_CASES/,
      ],
      [
        'one for all',
        { NATS_CREDS: credsOf('cases') },
        /each user of NATS has its own credentials: NATS_CREDS_GATEWAY, /,
      ],
      [
        'what is no credentials file',
        { ...creds, NATS_CREDS_STREAMS: 'Kp3xQz8Lw0Rt6Yv1' },
        /NATS_CREDS of streams: must be a credentials file/,
      ],
      [
        'those of the operator',
        { ...creds, NATS_CREDS_OPERATOR: credsOf('operator') },
        /nobody reads NATS_CREDS_OPERATOR/,
      ],
    ])('refuse %s, and show no value', (_what, wrong, expected) => {
      const message = messageOf(() => makeSecrets({ ...given, ...withoutEmpty(wrong) }, {}));
      expect(message).toMatch(expected);
      expect(message).not.toContain('Kp3xQz8Lw0Rt6Yv1');
    });

    it('are settings of one process too', () => {
      const local = {
        NATS_URL: 'nats://127.0.0.1:4222',
        MONGODB_URL: 'mongodb://127.0.0.1:27017/?authSource=admin',
      };
      const text = environmentFiles(makeSecrets({ ...given, ...local, ...creds }, {}))['casewatch.env'] ?? '';
      const env = Object.fromEntries(
        [...text.matchAll(/^(\w+)='([^']*)'$/gm)].map(([, name = '', value = '']) => [name, value]),
      );
      const said = { PORT: '8080', MAIL_FROM: 'a@firm.example', PUBLIC_URL: 'https://cases.firm.example' };
      const uscis = {
        USCIS_TOKEN_URL: 'https://api.uscis.test/token',
        USCIS_API_URL: 'https://api.uscis.test/status',
      };
      const { environments } = readSettings({ ...env, ...said, ...uscis });
      expect([environments.cases.NATS_CREDS, environments.cases.NATS_USER]).toEqual([
        credsOf('cases'),
        undefined,
      ]);
    });
  });

  it('have the topic of Amazon SNS beside the secrets of the notifier, and refuse what is no topic', () => {
    const topic = 'arn:aws:sns:us-east-1:123456789012:casewatch-mail';
    const secrets = makeSecrets({ ...given, MAIL_CALLBACK_SES_TOPIC: topic }, {});
    expect(secrets['notifier-secrets']?.MAIL_CALLBACK_SES_TOPIC).toBe(topic);
    expect(settingsFor(secrets)).toEqual([
      {
        service: 'notifier',
        setting: 'MAIL_CALLBACK_SES_TOPIC_FILE=/run/secrets/casewatch/MAIL_CALLBACK_SES_TOPIC',
      },
    ]);
    const wrong = { ...given, MAIL_CALLBACK_SES_TOPIC: `${topic}.fifo` };
    expect(messageOf(() => makeSecrets(wrong, {}))).toMatch(
      /MAIL_CALLBACK_SES_TOPIC of notifier: must be the ARN/,
    );
  });

  const { SMTP_URL: _smtp, USCIS_CLIENT_SECRET: _secret, ...without } = given;
  it.each<[string, Record<string, string>, RegExp[]]>([
    [
      'all that is missing',
      without,
      [/SMTP_URL of notifier: is not given/, /USCIS_CLIENT_SECRET of monitor/],
    ],
    ['nothing at all', {}, [/NATS_URL of gateway/, /NATS_URL of streams/, /MONGODB_URL of cases/]],
    ['a name that nobody reads', { ...given, NATS_URI: 'tls://x' }, [/nobody reads NATS_URI/, /NATS_URL/]],
    ['another service that does not exist', { ...given, NATS_URL_CONSOLE: 'x' }, [/NATS_URL_CONSOLE/]],
    [
      'a password that is not percent-encoded',
      { ...given, SMTP_URL: 'smtps://sender:q7Xk0Pz3Lm9R/w@mail.example:465' },
      [/SMTP_URL of notifier/],
    ],
    [
      'a mail server without encryption',
      { ...given, SMTP_URL: 'smtp://sender:q7Xk0Pz3Lm9R@mail.example:587' },
      [/SMTP_URL of notifier/],
    ],
    [
      'a database without encryption',
      { ...given, MONGODB_URL: 'mongodb://a.example:27017/?replicaSet=rs0' },
      [/MONGODB_URL of identity/, /MONGODB_URL of webhooks/],
    ],
    [
      'a user without a database',
      { ...given, MONGODB_URL_CASES: 'mongodb+srv://me:Kp3xQz8Lw0Rt6Yv1@cluster.example/?tls=true' },
      [/MONGODB_URL of cases/],
    ],
    ['NATS without encryption', { ...given, NATS_URL: 'nats://nats.example:4222' }, [/NATS_URL of gateway/]],
    ['a demo value', { ...given, SECRET_PEPPER: 'demo-only-pepper-0123456789abcdefghij' }, [/SECRET_PEPPER/]],
    [
      'a placeholder',
      { ...given, CURSOR_KEY_CASES: 'change-me-change-me-change-me-now' },
      [/CURSOR_KEY of cases/],
    ],
  ])('refuse %s by name, and show no value', (_what, wrong, expected) => {
    const message = messageOf(() => makeSecrets(wrong, {}));
    for (const pattern of expected) expect(message).toMatch(pattern);
    for (const value of [...confidential, 'Kp3xQz8Lw0Rt6Yv1']) expect(message).not.toContain(value);
  });
});

it('accepts connections without encryption where a service mesh encrypts them', () => {
  const plain = { ...given, NATS_URL: 'nats://nats:4222', MONGODB_URL: 'mongodb://mongodb-0.mongodb:27017/' };
  expect(messageOf(() => makeSecrets(plain, {}))).toMatch(/NATS_URL of cases/);
  expect(makeSecrets(plain, {}, { mesh: true })['cases-secrets']?.NATS_URL).toBe('nats://nats:4222');
});

describe('npm run secrets', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function run(lines: Record<string, string> | string, ...options: string[]) {
    const file = join(folder, 'given.env');
    const text = typeof lines === 'string' ? lines : asLines(lines);
    writeFileSync(file, `# our values\n\n${text}\n`);
    const args = [
      'tools/dev/src/kubernetes-secrets/main.ts',
      '--given',
      file,
      '--to',
      join(folder, 'out'),
      ...options,
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    return { status, stdout, stderr };
  }
  const written = (name: string) => readFileSync(join(folder, 'out', name), 'utf8');

  it('writes Secrets that only the owner can read, the same ones again the next time', () => {
    expect(run(given)).toMatchObject({ status: 0, stderr: '' });
    const names = readdirSync(join(folder, 'out')).filter((name) => name !== 'made');
    expect(names).toHaveLength(10);
    const before = names.map(written);
    for (const text of before)
      expect(parse(text)).toMatchObject({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: 'casewatch' },
      });
    for (const name of [...names, 'made', '.'])
      expect(statSync(join(folder, 'out', name)).mode & 0o077).toBe(0);
    expect(run(given).status).toBe(0);
    expect(names.map(written)).toEqual(before);
  });

  it('writes the values for a secret manager, and manifests without a value', () => {
    expect(run(given, '--as', 'external', '--store', 'vault', '--prefix', 'prod/').status).toBe(0);
    const values = JSON.parse(written('cases-secrets.json')) as Record<string, string>;
    expect(Object.keys(values).sort()).toEqual([...keysOf('cases')].sort());
    const manifests = written('external-secrets.yaml');
    expect(parseAllDocuments(manifests)).toHaveLength(10);
    expect(parse(manifests.split('---\n')[2] ?? '')).toMatchObject({
      kind: 'ExternalSecret',
      metadata: { name: 'cases-secrets' },
      spec: {
        secretStoreRef: { kind: 'ClusterSecretStore', name: 'vault' },
        target: { name: 'cases-secrets' },
        dataFrom: [{ extract: { key: 'prod/cases-secrets' } }],
      },
    });
    for (const value of Object.values(values)) expect(manifests).not.toContain(value);
  });

  it.each<[string, string, RegExp]>([
    [
      'a line that is no setting',
      `${asLines(given)}\nZx8kq0pLm3nR7tVw again`,
      /line 8 of .* is not NAME=value/,
    ],
    ['a name twice', `${asLines(given)}\nNATS_URL=tls://x`, /gives NATS_URL twice/],
    [
      'a missing value',
      asLines(given).replace(/SMTP_URL=.*/, 'SMTP_URL='),
      /SMTP_URL of notifier: is not given/,
    ],
  ])('refuses %s and writes nothing', (_what, lines, expected) => {
    const { status, stdout, stderr } = run(lines);
    expect(status).toBe(1);
    expect(stderr).toMatch(expected);
    for (const value of confidential) expect(stdout + stderr).not.toContain(value);
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it('takes a value from a file beside the one that is given, and says when it cannot', () => {
    const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKc\n-----END PRIVATE KEY-----';
    writeFileSync(join(folder, 'dkim.pem'), `${key}\n`);
    expect(run({ ...given, MAIL_DKIM_KEY_FILE: 'dkim.pem' })).toMatchObject({ status: 0, stderr: '' });
    expect(parse(written('notifier-secrets.yaml')).stringData.MAIL_DKIM_KEY).toBe(key);
    expect(run({ ...given, MAIL_DKIM_KEY_FILE: 'gone.pem' }).stderr).toMatch(
      /^\nNothing was written: cannot read MAIL_DKIM_KEY_FILE \(ENOENT\)/,
    );
    expect(run({ ...given, MAIL_DKIM_KEY: 'x', MAIL_DKIM_KEY_FILE: 'dkim.pem' }).stderr).toMatch(
      /gives MAIL_DKIM_KEY and MAIL_DKIM_KEY_FILE/,
    );
  });

  it('refuses a folder of the repository', () => {
    const { status, stderr } = run(given, '--to', 'deploy/secrets');
    expect(status).toBe(1);
    expect(stderr).toMatch(/inside the repository/);
    expect(
      execFileSync('git', ['status', '--porcelain', 'deploy/secrets'], { cwd: ROOT, encoding: 'utf8' }),
    ).toBe('');
  });

  it.each([[['--as', 'sealed']], [['--what']]])('explains itself for %j', (options) => {
    const { status, stderr } = run(given, ...options);
    expect(status).toBe(1);
    expect(stderr).toMatch(/npm run secrets -- --to FOLDER --given FILE/);
  });
});

function withoutEmpty(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

function asLines(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (err) {
    return (err as Error).message;
  }
  throw new Error('was accepted');
}

describe('the files of one machine', () => {
  const here = {
    ...given,
    NATS_URL: 'nats://127.0.0.1:4222',
    MONGODB_URL: 'mongodb://127.0.0.1:27017/?replicaSet=rs0&authSource=admin',
  };
  const parsed = (text = '') =>
    Object.fromEntries(
      [...text.matchAll(/^(\w+)='([^']*)'$/gm)].map(([, name = '', value = '']) => [name, value]),
    );

  it('have all that one process needs beside what the operator says, and the passwords of its servers', () => {
    const secrets = makeSecrets(here, {});
    const files = environmentFiles(secrets);
    const compose = readFileSync(join(ROOT, 'deploy/small/docker-compose.yml'), 'utf8');
    const { services } = parse(compose) as {
      services: { casewatch: { environment: Record<string, string> } };
    };
    const said = {
      PUBLIC_URL: 'https://cases.firm.example',
      MAIL_FROM: 'Firm <no-reply@firm.example>',
      USCIS_TOKEN_URL: 'https://api.uscis.gov/oauth/accesstoken',
      USCIS_API_URL: 'https://api.uscis.gov/case-status',
    };
    const ofCompose = Object.fromEntries(
      Object.entries(services.casewatch.environment).map(([name, value]) => [name, String(value)]),
    );
    const { environments } = readSettings({ ...ofCompose, ...parsed(files['casewatch.env']), ...said });
    for (const [part, env] of Object.entries(environments)) {
      const passwords = secrets[`${part}-secrets`] ?? {};
      expect(env).toMatchObject({ NATS_USER: part, NATS_PASSWORD: passwords.NATS_PASSWORD });
      expect(env.MONGODB_URL).toBe(passwords.MONGODB_URL);
      expect(parsed(files['nats-users.env'])[`NATS_PASSWORD_${part.toUpperCase()}`]).toBe(
        `"${passwords.NATS_PASSWORD}"`,
      );
    }
    const users = parsed(files['mongodb-users.env']);
    expect(environments.cases.MONGODB_URL).toContain(`cases:${users.MONGODB_PASSWORD_CASES}@127.0.0.1`);
    expect(users).not.toHaveProperty('MONGODB_PASSWORD_ROOT');
    expect(files['mongodb-root']).toBe(secrets['mongodb-users']?.root);
  });

  it('start nats-server, however its passwords begin', async () => {
    const begins = ['4k', '12e', '-7', '0x', 'true', '1', '20m', '9-'];
    const password = (i: number) => `${begins[i]}_kX7fQ2mWn4Rz9pLs3Jd6Hy8Tb5Vc1Ga0`;
    const values = Object.fromEntries(natsUsers.map((user, i) => [`nats/${user}`, password(i)]));
    const files = environmentFiles(makeSecrets(here, { values }));
    const folder = await tempFolder();
    const before = { ...process.env };
    try {
      Object.assign(process.env, parsed(files['nats-users.env']));
      const server = await startNatsServer({
        binary: (await resolveBinary('nats-server')).path,
        dataDir: folder.path,
        port: await freePort(),
        logFile: join(folder.path, 'nats-server.log'),
        authorization: `include ${JSON.stringify(relative(folder.path, join(ROOT, 'deploy/k8s/components/nats/users.conf')))}`,
      });
      await server.stop();
    } finally {
      process.env = before;
      await folder.remove();
    }
  });

  it('refuse a value that compose would read differently', () => {
    expect(() =>
      environmentFiles(makeSecrets({ ...here, USCIS_CLIENT_SECRET: "Zx8kq0pLm3nR7'tVw" }, {})),
    ).toThrow(/^Nothing was written: USCIS_CLIENT_SECRET contains/);
  });
});
