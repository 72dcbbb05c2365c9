import { authorizationBlock, natsUsers } from '@casewatch/platform';

/** Text of deploy/k8s/components/nats/users.conf: passwords come from the server's environment. */
export function natsUsersConf(): string {
  const authorization = authorizationBlock(natsUsers, (user) => `$NATS_PASSWORD_${user.toUpperCase()}`);
  return `# Generated from the event and request registries: npm run nats-users\n${authorization}`;
}
