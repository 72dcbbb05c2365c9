import { keyRingSetting, principalSigner, principalVerifier, privateJwk } from '@casewatch/platform';
import { expect, it } from '@jest/globals';
import { asUser, freshSecrets, replaced, userOf } from '../../../src/verify/rotations/fresh-secrets.ts';
import { type Deployed, rings } from '../../../src/verify/rotations/stages.ts';

const url = (user: string, password: string) =>
  `mongodb://${user}:${password}@mongodb-0.mongodb:27017,mongodb-1.mongodb:27017/cases?replicaSet=rs0&authSource=admin`;

/** Every secret that is replaced, as something. */
const held: Deployed = Object.fromEntries(
  Object.entries(replaced).map(([deployment, names]) => [
    deployment,
    Object.fromEntries(
      names.map((name) => [name, name === 'MONGODB_URL' ? url('cases', 'before') : 'before']),
    ),
  ]),
);

it('replaces every ring, in a form that services take', () => {
  const fresh = freshSecrets(held);
  const made = Object.entries(rings).flatMap(([deployment, names]) =>
    names.map((name) => fresh[deployment]?.[name] ?? ''),
  );
  for (const secret of made) expect(keyRingSetting.parse(secret)).toEqual([secret]);
  expect(made).toHaveLength(7);
  expect(new Set(made).size).toBe(made.length);
});

it('gives the gateway a key whose principals all services verify with what they get', () => {
  const { gateway, cases, notifier } = freshSecrets(held);
  const sign = principalSigner(privateJwk.parse(JSON.parse(gateway?.PRINCIPAL_KEY ?? '')));
  const caller = { principal: { kind: 'anonymous' } as const, address: '192.0.2.1' };
  const verify = principalVerifier(JSON.parse(cases?.PRINCIPAL_JWKS ?? ''), 'cases');
  expect(verify(sign(caller, 'cases'), { method: 'GET', path: '/v1/client/cases' })).toEqual(caller);
  expect(cases?.PRINCIPAL_JWKS).toBe(notifier?.PRINCIPAL_JWKS);
  expect(cases?.PRINCIPAL_JWKS).not.toContain('"d"');
});

it('signs in to the same database as a second user, and back again', () => {
  const second = freshSecrets(held).cases?.MONGODB_URL ?? '';
  const { user, password } = userOf(second);
  expect(user).toBe('cases.2');
  expect(second).toBe(url('cases.2', password));
  const third = freshSecrets({ cases: { MONGODB_URL: second } }).cases?.MONGODB_URL ?? '';
  expect(userOf(third).user).toBe('cases');
});

it('keeps what is no letter of an address', () => {
  expect(userOf(asUser(url('cases', 'x'), 'cases', 'p@ss:/word'))).toEqual({
    user: 'cases',
    password: 'p@ss:/word',
  });
});
