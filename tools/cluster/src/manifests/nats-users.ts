import { serviceNames } from '@casewatch/contracts';
import { natsRightsOf } from '@casewatch/platform';

/** Text of deploy/k8s/components/nats/users.conf: passwords come from the server's environment. */
export function natsUsersConf(): string {
  const users = serviceNames.map((service) => {
    const { publish, subscribe } = natsRightsOf(service);
    return [
      '    {',
      `      user: ${service}`,
      `      password: $NATS_PASSWORD_${service.toUpperCase()}`,
      '      permissions: {',
      `        publish: { allow: [${list(publish)}] }`,
      `        subscribe: { allow: [${list(subscribe)}] }`,
      '        allow_responses: true',
      '      }',
      '    }',
    ].join('\n');
  });
  const operator = '    { user: operator, password: $NATS_PASSWORD_OPERATOR }';
  return [
    '# Generated from the event and request registries: npm run nats-users',
    'authorization {',
    '  users = [',
    ...users,
    operator,
    '  ]',
    '}',
    '',
  ].join('\n');
}

function list(subjects: readonly string[]): string {
  const lines = subjects.map((subject) => `          ${JSON.stringify(subject)}`);
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n        `;
}
