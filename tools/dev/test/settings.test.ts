import { join } from 'node:path';
import { type TempFolder, tempFolder } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressesAt, databaseAt } from '../src/addresses.ts';
import { assignPorts } from '../src/ports.ts';
import { loadSecrets } from '../src/secrets.ts';
import { settingsOfAll } from '../src/settings.ts';

describe('the settings of the services', () => {
  let folder: TempFolder;

  beforeAll(async () => {
    folder = await tempFolder();
  });
  afterAll(() => folder.remove());

  function settings(env: NodeJS.ProcessEnv = {}): ReturnType<typeof settingsOfAll> {
    const ports = assignPorts(4000);
    const servers = {
      mongodbUrl: 'mongodb://127.0.0.1:4011/?replicaSet=rs0',
      natsUrl: 'nats://127.0.0.1:4012',
    };
    const secrets = loadSecrets(join(folder.path, 'secrets.json'));
    return settingsOfAll({ ports, addresses: addressesAt(ports, servers), secrets, env });
  }

  it('give each service a database and a NATS user of its own, the gateway no database', () => {
    const { gateway, cases, identity } = settings();
    expect(gateway).not.toHaveProperty('MONGODB_URL');
    expect(cases.MONGODB_URL).toBe('mongodb://127.0.0.1:4011/cases?replicaSet=rs0');
    expect(cases.NATS_USER).toBe('cases');
    expect(cases.NATS_PASSWORD).not.toBe(identity.NATS_PASSWORD);
  });

  it.each([
    ['mongodb://a:1,b:2,c:3/?replicaSet=rs0', 'mongodb://a:1,b:2,c:3/cases?replicaSet=rs0'],
    ['mongodb://a:1,b:2', 'mongodb://a:1,b:2/cases'],
    ['mongodb://a?replicaSet=rs0', 'mongodb://a/cases?replicaSet=rs0'],
    ['mongodb://[::1]:1,b:2/other', 'mongodb://[::1]:1,b:2/cases'],
    ['mongodb+srv://db.example/?w=1', 'mongodb+srv://db.example/cases?w=1'],
    ['mongodb://u:p%2Fw@a,b/', 'mongodb://u:p%2Fw@a,b/cases?authSource=admin'],
    ['mongodb://u:p@a,b/own', 'mongodb://u:p@a,b/cases?authSource=own'],
    ['mongodb://u:p@a,b/?authSource=x', 'mongodb://u:p@a,b/cases?authSource=x'],
    ['mongodb://u@a/?authMechanism=MONGODB-X509', 'mongodb://u@a/cases?authMechanism=MONGODB-X509'],
  ])('name a database on all servers of %s', (url, expected) => {
    expect(databaseAt(url, 'cases')).toBe(expected);
  });

  it.each(['mongodb://u:p/w@a,b/', 'http://a:1', 'mongodb://a:port', 'mongodb:///own'])(
    'refuse %s as the servers of the system, without quoting it',
    (url) => {
      const message = { message: expect.not.stringContaining(url) };
      expect(() => databaseAt(url, 'cases')).toThrow(/^MONGODB_URL /);
      expect(() => databaseAt(url, 'cases')).toThrow(expect.objectContaining(message));
    },
  );

  it('give the private principal key to the gateway alone', () => {
    const { gateway, ...others } = settings();
    const { d } = JSON.parse(gateway.PRINCIPAL_KEY ?? '{}');
    expect(d).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(others)).not.toContain(d);
  });

  it('let a change be seen within seconds where few receipts are watched', () => {
    const { MONITOR_INTERVAL_SCALE: scale, USCIS_DAILY_BUDGET: budget } = settings().monitor;
    expect(1_800 * Number(scale)).toBeLessThan(1);
    // 60 receipts, each every 5 s.
    expect(Number(budget) / 86_400).toBeGreaterThan(60 / 5);
  });

  it('take the log level and the rate limit scale over from outside', () => {
    const { webhooks } = settings({ LOG_LEVEL: 'debug', RATE_LIMIT_SCALE: '100' });
    expect(webhooks).toMatchObject({ LOG_LEVEL: 'debug', RATE_LIMIT_SCALE: '100' });
    expect(settings().webhooks).not.toHaveProperty('RATE_LIMIT_SCALE');
  });

  it('take the scale of the intervals over from outside', () => {
    const { monitor } = settings({ MONITOR_INTERVAL_SCALE: '1' });
    expect(monitor.MONITOR_INTERVAL_SCALE).toBe('1');
    expect(settings({ MONITOR_INTERVAL_SCALE: '' }).monitor).toEqual(settings().monitor);
  });
});
