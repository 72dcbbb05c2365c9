import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEPLOY } from '../verify/settings.ts';
import { natsUsersConf } from './nats-users.ts';

/** Whether the rights of the NATS users are what the registries make of them. @returns what is wrong */
export function checkNatsUsers(): string[] {
  const committed = readFileSync(join(DEPLOY, 'components/nats/users.conf'), 'utf8');
  return committed === natsUsersConf()
    ? []
    : ['components/nats/users.conf is out of date: npm run nats-users'];
}
