import { bearer, createPartner, type DevFile, expectStatus, send, signIn, until } from '@casewatch/driver';

/** A receipt that the government's stand-in knows. */
const RECEIPT = 'EAC9999103403';
/** A gateway may trust what it knew for so long (architecture.md §4), ms. */
const KNOWN_MS = 2_000;

export interface FuzzedPerson {
  id: number;
  /** Both ways to name their case. */
  cases: (number | string)[];
  token: string;
}

/** Makes a person with one case, and signs them in, as the person would. */
export async function fuzzedPerson(dev: DevFile, signal: AbortSignal): Promise<FuzzedPerson> {
  const waiting = { timeoutMs: 30_000, signal };
  const partner = createPartner(dev, dev.partner, waiting);
  const { id, email } = await partner.verifiedUser({ phone: '+12025550143', notify_by_whatsapp: true });
  await partner.newCase(id, RECEIPT);
  const listed = await partner.call<{ cases: { id: number; user_case_id: string }[] }>(
    'GET',
    `/v1/client/cases?user_id=${id}`,
  );
  const { cases } = expectStatus('list the cases to work with', listed, 200);
  const { access_token } = await signIn(dev, email, waiting);
  return { id, cases: cases.flatMap((one) => [one.id, one.user_case_id]), token: access_token };
}

/** What reading themselves answers instead of 200; undefined where it is 200. */
export async function refusalOf(dev: DevFile, person: FuzzedPerson): Promise<string | undefined> {
  const { status, body } = await send(dev, 'GET', {
    as: bearer(person.token),
    path: `/v1/users/${person.id}`,
  });
  return status === 200 ? undefined : `${status} ${body.code}`;
}

/** Ways to end a session that no run can go: all requests after them would be refused with 401. */
export const endings = {
  'deleting oneself': (id: number) => ({ method: 'DELETE', path: `/v1/users/${id}` }),
  'logging out': () => ({ method: 'POST', path: '/v1/auth/logout' }),
} as const;

/**
 * Ends a person's session.
 * @returns what is wrong with the answers; undefined where the ending answers 200 and the token is revoked
 */
export async function faultOfEnding(
  dev: DevFile,
  person: FuzzedPerson,
  ending: keyof typeof endings,
): Promise<string | undefined> {
  const { method, path } = endings[ending](person.id);
  const { status, body } = await send(dev, method, { as: bearer(person.token), path });
  if (status !== 200 || body.success !== true) return `${ending} answered ${status}`;
  let last: string | undefined;
  const isRevoked = async () => {
    last = await refusalOf(dev, person);
    return last?.endsWith(' token_revoked') ?? false;
  };
  return await until(isRevoked, { timeoutMs: KNOWN_MS, intervalMs: 100 }).then(
    () => undefined,
    () => `after ${ending}: ${last ?? '200'}`,
  );
}
