import type { Addresses } from '@casewatch/driver';
import { describe, expect, it } from '@jest/globals';
import { createStandIns } from './stand-ins.ts';

const dev = {
  gateway_url: 'http://127.0.0.1:4000',
  receiver_url: 'http://127.0.0.1:4010',
} as Addresses;
const startedAt = new Date('2026-12-01T08:00:00.000Z');

describe('stand-ins for what differs from run to run', () => {
  it('are the same for the same id, and count up for others', () => {
    const standIn = createStandIns(dev, startedAt);
    const answer = (user: number, id: number) =>
      standIn({
        request: { path: `/v1/client/users/${user}/cases` },
        status: 201,
        body: { case: { id, user_case_id: `FLOW${String(id).padStart(7, '0')}`, user_id: user } },
      });
    expect(answer(70, 8)).toEqual({
      request: { path: '/v1/client/users/317/cases' },
      status: 201,
      body: { case: { id: 1_042, user_case_id: 'FLOW0001042', user_id: 317 } },
    });
    expect(answer(71, 9).body).toEqual({
      case: { id: 1_043, user_case_id: 'FLOW0001043', user_id: 318 },
    });
    expect(answer(70, 8).request.path).toBe('/v1/client/users/317/cases');
  });

  it('replace times of this run in their own format, and keep those of USCIS', () => {
    const body = {
      created_at: '2026-12-01T08:00:07.000Z',
      last_checked: '2026-12-01 08:00:09',
      submitted_date: '2023-09-05 14:28:41',
      email_verified_at: null,
    };
    expect(createStandIns(dev, startedAt)({ request: { path: '/' }, status: 200, body }).body).toEqual({
      created_at: '2026-11-20T14:05:09.120Z',
      last_checked: '2026-11-21 10:00:00',
      submitted_date: '2023-09-05 14:28:41',
      email_verified_at: null,
    });
  });

  it('leave no address of this machine and no token', () => {
    const shown = createStandIns(
      dev,
      startedAt,
    )({
      request: { path: '/v1/unsubscribe?token=abc.def' },
      status: 200,
      body: { url: 'http://127.0.0.1:4010/hooks/a', access_token: 'a.b.c', secret: 'whsec_x', id: 4 },
    });
    expect(JSON.stringify(shown)).not.toMatch(/127\.0\.0\.1|abc\.def|a\.b\.c|whsec_x/);
  });
});
