import { execFile } from 'node:child_process';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createLogger } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { createRecentRefusals } from '../../src/limits/recent-refusals.ts';

const file = fileURLToPath(new URL('../../src/limits/recent-refusals.ts', import.meta.url));

const caller = {
  caller: 'user 7',
  policy: 'user' as const,
  id: '7',
  principal: { kind: 'user', user_id: 7, session_id: 's7', partner_id: null, signed_in_at: 0 } as const,
};

describe('recent refusals', () => {
  const open = () => createRecentRefusals(createLogger('gateway', 'silent'));

  it('are found by all that identifies the caller', () => {
    const refusals = open();
    const own = { authorization: 'Bearer secret-token', 'x-forwarded-for': '192.0.2.1' };
    refusals.remember(requestWith(own), caller);
    expect(refusals.find(requestWith(own))).toMatchObject(caller);
    const others = [
      { authorization: 'Bearer other' },
      { 'x-forwarded-for': '192.0.2.2' },
      { 'x-api-key': 'k' },
      { 'x-api-secret': 's' },
    ];
    for (const other of others) expect(refusals.find(requestWith({ ...own, ...other }))).toBeUndefined();
  });

  it('are not kept for credentials that are too long', () => {
    const refusals = open();
    const request = requestWith({ authorization: 'x'.repeat(2_049) });
    refusals.remember(request, caller);
    expect(refusals.find(request)).toBeUndefined();
  });

  it('end after one second, with one line that has their number', async () => {
    // In a process of its own, because its lines go to standard output.
    const program = `
      import { createLogger } from '@casewatch/platform';
      import { createRecentRefusals } from ${JSON.stringify(file)};
      const refusals = createRecentRefusals(createLogger('gateway', 'info'));
      const request = { headers: { authorization: 'Bearer secret-token' }, socket: {} };
      refusals.remember(request, ${JSON.stringify(caller)});
      refusals.find(request).repeats += 2;
      setTimeout(() => console.log(String(refusals.find(request))), 1_500);
    `;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { cwd: fileURLToPath(new URL('../..', import.meta.url)) },
    );
    const [line = '', found] = stdout.trimEnd().split('\n');
    expect(JSON.parse(line)).toMatchObject({
      event: 'access',
      outcome: 'limited',
      problem: 'rate_limited',
      repeats: 2,
      user_id: 7,
      msg: 'security',
    });
    expect(line).not.toContain('secret-token');
    expect(found).toBe('undefined');
  });
});

function requestWith(headers: Record<string, string>): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}
