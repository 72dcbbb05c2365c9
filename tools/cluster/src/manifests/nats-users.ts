import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authorizationBlock, natsUsers } from '@casewatch/platform';
import { DEPLOY } from '../verify/settings.ts';

export const natsUsersFile = join(DEPLOY, 'components/nats/users.conf');

/** The accounts and users of NATS with their rights; passwords come from the server's environment. */
export function natsUsersConf(): string {
  const authorization = authorizationBlock(natsUsers, (user) => `$NATS_PASSWORD_${user.toUpperCase()}`);
  return `# Generated from the event and request registries: npm run nats-users\n${authorization}`;
}

/** @returns a finding if the committed file is not what the registries make of it */
export function checkNatsUsers(): string[] {
  const isCurrent = readFileSync(natsUsersFile, 'utf8') === natsUsersConf();
  return isCurrent ? [] : ['components/nats/users.conf is out of date: npm run nats-users'];
}
