import { natsRightsOf } from '@casewatch/platform';
import { expect, it } from '@jest/globals';
import { checkNatsUsers, natsUsersConf } from '../../src/manifests/nats-users.ts';

it('gives every service a user with the rights that the registries give it, and a password from the environment', () => {
  const text = natsUsersConf();
  const cases = text.slice(text.indexOf('user: cases'), text.indexOf('user: monitor'));
  expect(cases).toContain('password: $NATS_PASSWORD_CASES');
  const rights = natsRightsOf('cases');
  for (const subject of [...(rights?.publish ?? []), ...(rights?.subscribe ?? [])])
    expect(cases).toContain(JSON.stringify(subject));
});

it('is what the deployment holds', () => {
  expect(checkNatsUsers()).toEqual([]);
});
