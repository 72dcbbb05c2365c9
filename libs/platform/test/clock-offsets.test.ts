import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ApiError, Bus } from '@casewatch/platform';
import { connectAs, startNats, type TestNats } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Msg } from '@nats-io/transport-node';

const minuteAndAHalf = 90_000;
const question = { session_id: 's', user_id: 7 };

describe('requests between replicas whose clocks differ', () => {
  let nats: TestNats;
  let gateway: Bus;
  const answering: Bus[] = [];
  beforeAll(async () => {
    nats = await startNats();
    gateway = await connectAs(nats, 'gateway');
  });
  afterEach(async () => {
    await Promise.all(answering.splice(0).map((bus) => bus.stop()));
  });
  afterAll(async () => {
    await gateway.stop();
    await nats.stop();
  });

  async function connectIdentity(): Promise<Bus> {
    const identity = await connectAs(nats, 'identity');
    answering.push(identity);
    return identity;
  }

  async function startAnswering(offsetMs: number): Promise<ChildProcess> {
    const support = join(import.meta.dirname, 'support');
    const { NATS_URL, NATS_PASSWORD } = nats.user('identity');
    const child = fork(join(support, 'answer-sessions.program.ts'), [NATS_URL, NATS_PASSWORD], {
      execArgv: ['--import', join(support, 'offset-clock.program.ts')],
      env: { ...process.env, CLOCK_OFFSET_MS: String(offsetMs) },
    });
    await once(child, 'message');
    return child;
  }

  it.each([
    ['ahead', minuteAndAHalf],
    ['behind', -minuteAndAHalf],
  ])('are answered by one that is 90 s %s', async (_direction, offsetMs) => {
    const child = await startAnswering(offsetMs);
    try {
      const refusal = await gateway.request('identity.session', question).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'token_revoked' });
      const clock = Number((refusal as ApiError).message);
      expect(Math.abs(clock - Date.now() - offsetMs)).toBeLessThan(minuteAndAHalf / 2);
    } finally {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
  });

  it('say how long the asker still waits, and no time of its clock', async () => {
    const identity = await connectIdentity();
    const asked: Msg[] = [];
    identity.connection.subscribe('identity.session', {
      callback: (_error, message) => void asked.push(message),
    });
    await identity.connection.flush();
    await expect(gateway.request('identity.session', question, { deadlineMs: 300 })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    const said = asked.map(({ headers: hdrs }) => ({
      left: Number(hdrs?.get('x-casewatch-time-left-ms')),
      hasTime: hdrs?.has('deadline'),
    }));
    expect(said.map(({ hasTime }) => hasTime)).toEqual([false, false]);
    // The second was asked when half of the time had passed.
    expect(said[0]?.left).toBeLessThanOrEqual(300);
    expect(said[0]?.left).toBeGreaterThan(150);
    expect(said[1]?.left).toBeLessThanOrEqual(150);
    expect(said[1]?.left).toBeGreaterThan(0);
  });
});
