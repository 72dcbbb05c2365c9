import { bearer, createPartner, type DevFile, expectStatus, send, signIn, until } from '@casewatch/driver';

const RECEIPT = 'EAC9999103403';
/** Longest time that a gateway accepts a revoked token, ms (architecture.md §4). */
const REVOCATION_MS = 2_000;

export interface FuzzedPerson {
  id: number;
  /** The case's id and user_case_id. */
  cases: (number | string)[];
  token: string;
}

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
  return { id, cases: cases.flatMap((ownCase) => [ownCase.id, ownCase.user_case_id]), token: access_token };
}

/** The error that the person's token gets; undefined if the token works. */
export async function refusalOf(dev: DevFile, person: FuzzedPerson): Promise<string | undefined> {
  const { status, body } = await send(dev, 'GET', {
    as: bearer(person.token),
    path: `/v1/users/${person.id}`,
  });
  return status === 200 ? undefined : `${status} ${body.code}`;
}

/** Operations that end a session. A run leaves them out: its later requests would all get 401. */
export const endings = {
  'deleting oneself': (id: number) => ({ method: 'DELETE', path: `/v1/users/${id}` }),
  'logging out': () => ({ method: 'POST', path: '/v1/auth/logout' }),
} as const;

/** @returns an error text unless the operation answers 200 and revokes the token */
export async function errorOfEnding(
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
  return await until(isRevoked, { timeoutMs: REVOCATION_MS, intervalMs: 100 }).then(
    () => undefined,
    () => `after ${ending}: ${last ?? '200'}`,
  );
}
