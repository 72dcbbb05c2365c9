import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createRecentRefusals } from '../../src/limits/recent-refusals.ts';

function requestWith(headers: Record<string, string>): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}

const caller = {
  caller: 'user 7',
  policy: 'user' as const,
  id: '7',
  principal: { kind: 'user', user_id: 7, session_id: 's7', partner_id: null, signed_in_at: 0 } as const,
};

it('are found by all that identifies the caller, for one second; then one line tells how many there were', async () => {
  const output = new PassThrough();
  const refusals = createRecentRefusals(pino({}, output));
  const own = { authorization: 'Bearer secret-token', 'x-forwarded-for': '192.0.2.1' };
  refusals.remember(requestWith(own), caller);
  const found = refusals.find(requestWith(own));
  if (found) found.repeats += 2;
  expect(found).toMatchObject(caller);
  for (const other of [
    { authorization: 'Bearer other' },
    { 'x-forwarded-for': '192.0.2.2' },
    { 'x-api-key': 'k' },
  ])
    expect(refusals.find(requestWith({ ...own, ...other }))).toBeUndefined();

  // The timer of the platform alone does not keep the process alive.
  const alive = setInterval(() => {}, 1_000);
  const [line] = await once(output, 'data').finally(() => clearInterval(alive));
  const { event, outcome, problem, repeats, user_id, msg } = JSON.parse(String(line));
  expect([event, outcome, problem, repeats, user_id, msg]).toEqual([
    'access',
    'limited',
    'rate_limited',
    2,
    7,
    'security',
  ]);
  expect(String(line)).not.toContain('secret-token');
  expect(refusals.find(requestWith(own))).toBeUndefined();
});

it('are not kept for credentials that are too long', () => {
  const refusals = createRecentRefusals(pino({ level: 'silent' }));
  const request = requestWith({ authorization: 'x'.repeat(2_049) });
  refusals.remember(request, caller);
  expect(refusals.find(request)).toBeUndefined();
});
