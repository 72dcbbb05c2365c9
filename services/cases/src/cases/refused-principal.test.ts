import { createInterface } from 'node:readline';
import { principalHeader } from '@casewatch/platform';
import {
  freePort,
  spawnProgram,
  startMongo,
  startNats,
  type TestMongo,
  type TestNats,
  waitFor,
} from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { settings } from '../../test/support/settings.ts';
import { partner } from '../../test/support/start-cases.ts';

const main = new URL('../main.ts', import.meta.url).pathname;
type Line = { level: string | number; msg: string; port?: number; alarm?: string; reason?: string };

describe('a principal that cases refuses', () => {
  let mongo: TestMongo;
  let nats: TestNats;
  let end: (signal: 'SIGKILL') => Promise<unknown>;
  const lines: string[] = [];
  const ofAlarm = () => lines.map((line) => JSON.parse(line) as Line).filter(({ alarm }) => alarm);
  let url: string;
  let metricsUrl: string;
  /** Of the gateway after a rotation that cases does not know of. */
  let sign: ReturnType<typeof settings>['sign'];
  let signRight: typeof sign;

  beforeAll(async () => {
    [mongo, nats] = await Promise.all([startMongo(), startNats()]);
    const { env, sign: rightKey } = settings(mongo, nats, {
      METRICS_PORT: String(await freePort()),
      LOG_LEVEL: 'info',
    });
    signRight = rightKey;
    sign = settings(mongo, nats).sign;
    metricsUrl = `http://127.0.0.1:${env.METRICS_PORT}/metrics`;
    const program = spawnProgram(main, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    end = program.end;
    const output = program.child.stdout;
    if (!output) throw new Error('the process has no output');
    createInterface(output).on('line', (line) => lines.push(line));
    const portOf = () =>
      lines.map((line) => (JSON.parse(line) as Line).port).find((port) => port !== undefined);
    url = `http://127.0.0.1:${await waitFor(portOf, { what: 'the port', timeoutMs: 30_000 })}/v1/client/cases`;
  });
  afterAll(async () => {
    await end('SIGKILL');
    await nats.stop();
    await mongo.stop();
  });

  const ask = (headers: Record<string, string>) => fetch(url, { headers });
  const caller = { principal: partner(), address: '203.0.113.7' };
  const refusals = async () =>
    /^principals_refused_total(?:\{[^}]*\})? (\S+)$/m.exec(await (await fetch(metricsUrl)).text())?.[1];

  it('is an alarm and a count, and neither shows what it says', async () => {
    expect((await ask({ [principalHeader]: signRight(caller, 'cases') })).status).toBe(200);
    expect((await ask({})).status).toBe(401);
    expect([await refusals(), ofAlarm()]).toEqual(['0', []]);

    for (const token of [sign(caller, 'cases'), 'maria@example.org.a.b']) {
      const answer = await ask({ [principalHeader]: token });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
      expect(answer.headers.get('www-authenticate')).toBeNull();
      expect(await answer.json()).toMatchObject({ code: 'service_unavailable', retryable: true });
    }
    expect(await refusals()).toBe('2');
    await waitFor(() => ofAlarm().length === 2, { what: 'two alarms' });
    expect(ofAlarm()).toMatchObject([
      { level: 'error', alarm: 'principal_refused', reason: 'invalid_signature' },
      { level: 'error', alarm: 'principal_refused', reason: 'not_a_principal' },
    ]);
    expect(lines.join('\n')).not.toMatch(/maria|eyJ/);
  });
});
