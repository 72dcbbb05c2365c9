import type { Principal, Scope } from '@casewatch/contracts';
import { expect } from '@jest/globals';
import { type Cases, partner } from './start-cases.ts';

/** A key that may see names, as every export needs. */
export const named = { ...partner(), scopes: ['cases:read', 'users:read', 'cases:write'] as Scope[] };

const staff = (role: 'viewer' | 'editor', signedInAgoS: number): Principal => ({
  kind: 'partner',
  partner_id: 1,
  key_id: '',
  staff_id: 9,
  role,
  scopes: ['cases:read', 'users:read'],
  signed_in_at: Math.floor(Date.now() / 1_000) - signedInAgoS,
});

export const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;

/** Asks for the file, as a key with names or as somebody else. */
type Get = (as?: Principal) => Promise<Response>;

/** Not for a viewer, a key without names, and a member who signed in 16 minutes ago. */
export async function expectRefusals(get: Get): Promise<void> {
  const refusalOf = async (as: Principal) => {
    const answer = await get(as);
    return [answer.headers.get('content-type')?.split(';')[0], await codeOf(answer)];
  };
  const json = 'application/json';
  expect(await refusalOf(staff('viewer', 5))).toEqual([json, 'insufficient_role']);
  expect(await refusalOf(staff('editor', 16 * 60))).toEqual([json, 'reauthentication_required']);
  expect(await refusalOf(partner())).toEqual([json, 'insufficient_scope']);
  expect((await get(staff('editor', 60))).status).toBe(200);
}

/** 503 while identity is away; a file that has begun breaks off. It has two pages or more. */
export async function expectNoneWithoutNames(cases: Cases, get: Get): Promise<void> {
  cases.setIdentityAway();
  const refused = await get();
  expect([refused.status, await codeOf(refused)]).toEqual([503, 'service_unavailable']);
  cases.setIdentityAway(false);
  let asked = 0;
  cases.afterUserAnswer(async () => {
    asked += 1;
    if (asked === 2) cases.setIdentityAway();
  });
  const broken = await get();
  expect(broken.status).toBe(200);
  await expect(broken.text()).rejects.toThrow();
  cases.setIdentityAway(false);
  cases.afterUserAnswer(null);
}
