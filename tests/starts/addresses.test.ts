import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { type ConfigError, readConfig, summaryOf, withoutSecrets } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { casesConfig } from '../../services/cases/src/config.ts';
import { gatewayConfig } from '../../services/gateway/src/config.ts';
import { identityConfig } from '../../services/identity/src/config.ts';
import { monitorConfig } from '../../services/monitor/src/config.ts';
import { notifierConfig } from '../../services/notifier/src/config.ts';
import { webhooksConfig } from '../../services/webhooks/src/config.ts';

const configs: Record<ServiceName, Parameters<typeof readConfig>[0]> = {
  gateway: gatewayConfig,
  identity: identityConfig,
  cases: casesConfig,
  monitor: monitorConfig,
  notifier: notifierConfig,
  webhooks: webhooksConfig,
};

/** The faults of one setting; the others are not set. */
function faultsOf(service: ServiceName, name: string, value: string, NODE_ENV = 'development'): string[] {
  try {
    readConfig(configs[service], { NODE_ENV, [name]: value });
    return [];
  } catch (error) {
    const lines = (error as ConfigError).message.split('\n  ');
    return lines.filter((line) => line.startsWith(`${name}: `));
  }
}

/** Each part of a value that could be a secret, at least four characters long. */
const partsOf = (value: string) =>
  value.split(/[^\w+=-]+/).filter((part) => /[A-Z]/.test(part) && /\d/.test(part));

/** Settings of every service that are addresses, by their name: adding one without a rule fails below. */
const addresses = serviceNames.flatMap((service) =>
  Object.keys(configs[service].shape)
    .filter((name) => /_URL$|_ENDPOINT$/.test(name))
    .map((name) => [service, name] as const),
);
const of = (pattern: RegExp) => addresses.filter(([, name]) => pattern.test(name));
const http = addresses.filter(([, name]) => !/^(MONGODB|NATS|SMTP)_URL$/.test(name));

const secret = 'BGx1Y7aB9cD3';

describe.each(of(/^MONGODB_URL$/))('%s: %s', (service, name) => {
  it.each([
    ['a slash in the password', `mongodb://u:${secret}/x@host:27017/own`],
    ['a slash at its beginning', `mongodb://u:/${secret}@host/own`],
    ['digits before the slash, like a port', `mongodb://u:123/${secret}@host/own`],
    ['an @ in the password', `mongodb://u:${secret}@x@host/own`],
    ['a ? in the password', `mongodb://u:${secret}?x@host/own`],
    ['a # in the password', `mongodb://u:${secret}#x@host/own`],
    ['a % that encodes nothing', `mongodb://u:${secret}%zz@host/own`],
    ['a % that is no UTF-8', `mongodb://u:${secret}%ff@host/own`],
    ['a space', `mongodb://u:${secret} x@host/own`],
    ['a slash in the user', `mongodb://u/x:${secret}@host/own`],
    ['no database', `mongodb://u:${secret}@host:27017/?replicaSet=rs0`],
    ['no database and no options', `mongodb://u:${secret}@host:27017`],
    ['no database after several hosts', `mongodb://u:${secret}@a:1,b:2/?tls=true`],
    ['no database in a service record', `mongodb+srv://u:${secret}@cluster.example/?retryWrites=true`],
    ['a database that cannot exist', `mongodb://u:${secret}@host/a.b`],
    ['a database and more', `mongodb://u:${secret}@host/a/b`],
    ['another scheme', `postgres://u:${secret}@host/own`],
    ['a scheme in capitals', `MONGODB://u:${secret}@host/own`],
    ['no scheme', `u:${secret}@host/own`],
    ['no host', `mongodb://u:${secret}@/own`],
    ['an empty host among others', `mongodb://u:${secret}@a,,b/own`],
    ['a port that is none', `mongodb://u:${secret}@host:port/own`],
    ['a port that is too high', `mongodb://u:${secret}@host:70000/own`],
    ['port 0', `mongodb://u:${secret}@a:1,b:0/own`],
  ])('refuses %s, without quoting it', (_, value) => {
    for (const environment of ['development', 'production']) {
      const faults = faultsOf(service, name, value, environment);
      expect(faults.length).toBeGreaterThan(0);
      expect(faults.join()).not.toContain(secret);
    }
  });

  it.each([
    `mongodb://u:${secret}%2Fx%40%3F%23%25@host:27017/own`,
    `mongodb://u:${secret}:x@host/own`,
    `mongodb://u:${secret}@a:1,b:2,c:3/own?replicaSet=rs0&authSource=admin`,
    `mongodb://u:${secret}@[::1]:27017,127.0.0.1/own?appName=a@b`,
    `mongodb+srv://u:${secret}@cluster.example/own?w=majority`,
    'mongodb://%2Ftmp%2Fmongodb-27017.sock/own',
    'mongodb://host/own-database_1',
  ])('accepts %s', (value) => {
    expect(faultsOf(service, name, value)).toEqual([]);
  });
});

describe.each(of(/^NATS_URL$/))('%s: %s', (service, name) => {
  it.each([
    'http://nats:4222',
    'nats:4222',
    '127.0.0.1:4222',
    'nats://',
    'nats://a:4222,',
    'nats://a:4222,b:4222',
    'nats://a:99999',
    'nats://a:port',
    'nats://a b:4222',
    'nats://a:4222/path',
    `nats://u:${secret}@a:4222`,
    `tls://u:${secret}/x@a:4222`,
    `nats://a,nats://${secret}@b`,
  ])('refuses %s', (value) => {
    const faults = faultsOf(service, name, value);
    expect(faults).toHaveLength(1);
    expect(faults[0]).not.toContain(secret);
  });

  it.each(['nats://a:4222', 'tls://a', 'tls://a:4222, tls://b:4222', 'nats://[::1]:4222'])(
    'accepts %s',
    (value) => {
      expect(faultsOf(service, name, value)).toEqual([]);
    },
  );
});

describe.each(of(/^SMTP_URL$/))('%s: %s', (service, name) => {
  it.each([
    ['a slash in the password', `smtps://AKIAXXXXXXXX:${secret}/aB+cD3=@email.example:465`],
    ['digits before the slash, like a port', `smtps://u:465/${secret}@host`],
    ['an @ in the password', `smtps://u:${secret}@x@host`],
    ['a ? in the password', `smtps://u:12?${secret}@host`],
    ['a # in the password', `smtps://u:12#${secret}@host`],
    ['a % that encodes nothing', `smtps://u:${secret}%@host`],
    ['a line break', `smtps://u:${secret}\n@host`],
    ['another scheme', `http://u:${secret}@host`],
    ['no slashes', `smtp:u:${secret}@host`],
    ['no host', `smtp://u:${secret}@`],
    ['a port that is none', `smtp://u:${secret}@host:smtp`],
    ['a path', `smtp://u:${secret}@host/path`],
    ['a user without a password', `smtp://${secret}@host`],
    ['a password without a user', `smtp://:${secret}@host`],
    ['an option that prints the password', `smtp://u:${secret}@host?debug=true&logger=true`],
  ])('refuses %s, without quoting it', (_, value) => {
    for (const environment of ['development', 'production']) {
      const faults = faultsOf(service, name, value, environment);
      expect(faults.length).toBeGreaterThan(0);
      expect(faults.join()).not.toContain(secret);
    }
  });

  it.each([
    'smtp://127.0.0.1:4007',
    `smtps://u:${secret}%2Fx@host:465`,
    `smtp://u%40example.com:${secret}@host:587/?requireTLS=true`,
    'smtp://[::1]:25',
  ])('accepts %s', (value) => {
    expect(faultsOf(service, name, value)).toEqual([]);
  });
});

describe.each(http)('%s: %s', (service, name) => {
  it.each([
    'mailto:a@example.com',
    'ftp://host/',
    'host:80',
    'http:host',
    'http://',
    'http://host:99999',
    'http://a b',
    ' http://a',
    `https://u:${secret}@host/`,
    `https://u:${secret}/x@host/`,
  ])('refuses %s', (value) => {
    const faults = faultsOf(service, name, value);
    expect(faults).toHaveLength(1);
    expect(faults[0]).not.toContain(secret);
  });

  it.each(['http://127.0.0.1:4000', 'https://host.example/path/', 'http://[::1]:80'])(
    'accepts %s',
    (value) => {
      expect(faultsOf(service, name, value)).toEqual([]);
    },
  );
});

it('every address of every service is covered above', () => {
  expect(addresses.length).toBe(of(/^(MONGODB|NATS|SMTP)_URL$/).length + http.length);
  expect(of(/^MONGODB_URL$/)).toHaveLength(5);
  expect(of(/^NATS_URL$/)).toHaveLength(6);
  expect(of(/^SMTP_URL$/)).toHaveLength(1);
  expect(http.map(([, name]) => name)).toEqual(
    expect.arrayContaining([
      'PUBLIC_URL',
      'APP_URL',
      'TWILIO_API_BASE_URL',
      'USCIS_API_URL',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ]),
  );
});

describe('a secret that was read', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const key = `{"kty":"EC","crv":"P-256","x":"x","y":"y","kid":"k","d":"${secret}Private"}`;
  const rows: [string, ServiceName, string, string, string[]][] = [
    [
      'a password in an address',
      'cases',
      'MONGODB_URL',
      'mongodb://some-user:p%2Fw0rd9@h/own',
      ['some-user', 'p%2Fw0rd9', 'p/w0rd9', base64('some-user:p/w0rd9'), base64('\0some-user\0p/w0rd9')],
    ],
    [
      'a password that is not encoded',
      'notifier',
      'SMTP_URL',
      'smtps://AKIAX123:Zq7/9k2@h',
      ['AKIAX123', 'Zq7/9k2', base64('AKIAX123:Zq7/9k2')],
    ],
    [
      'a token in the options',
      'monitor',
      'MONGODB_URL',
      'mongodb+srv://h.example/own?authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:tOk3n77x',
      ['tOk3n77x'],
    ],
    ['a password of the bus', 'webhooks', 'NATS_PASSWORD', 'n4ts.(pass)$', ['n4ts.(pass)$']],
    [
      'each secret of a ring',
      'identity',
      'SECRET_PEPPER',
      `${secret}${secret}${secret}one ${secret}${secret}${secret}two`,
      [`${secret}${secret}${secret}two`],
    ],
    ['a private key', 'gateway', 'PRINCIPAL_KEY', key, [`${secret}Private`]],
    [
      'a user and a password where none may be',
      'gateway',
      'PUBLIC_URL',
      'https://visitor7:Pw77Pw77@h',
      ['visitor7', 'Pw77Pw77'],
    ],
  ];
  it.each(rows)('is in no text: %s', (_, service, name, value, forms) => {
    faultsOf(service, name, value);
    for (const form of [value, ...forms])
      expect(withoutSecrets(`failed: ${form}!`)).toBe('failed: [redacted]!');
  });

  it('leaves the other words of a text', () => {
    faultsOf('cases', 'MONGODB_URL', 'mongodb://cases:pw0rd-of-cases@db.example:27017/cases');
    const text = 'cases: connect ECONNREFUSED db.example:27017';
    expect(withoutSecrets(text)).toBe(text);
  });

  it('is not in the summary of the settings', () => {
    const schema = configs.cases.pick({ MONGODB_URL: true, NATS_URL: true });
    const env = { MONGODB_URL: `mongodb://u:${secret}@h/own`, NATS_URL: 'nats://h' };
    const summary = JSON.stringify(summaryOf(schema, readConfig(schema, env)));
    for (const part of partsOf(env.MONGODB_URL)) expect(summary).not.toContain(part);
    expect(summary).toContain('nats://h');
  });
});
