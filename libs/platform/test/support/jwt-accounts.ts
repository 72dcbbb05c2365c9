import { serviceNames } from '@casewatch/contracts';
import { importsOf, type NatsUser, natsRightsOf, natsUsers } from '@casewatch/platform';
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** Signs claims as nsc does (JWT of NATS, version 2). */
function jwt(
  issuer: KeyPair,
  subject: KeyPair,
  { name, type, ...nats }: { name: string; type: string } & Record<string, unknown>,
): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    jti: `${name}-${subject.getPublicKey()}`,
    iat: Math.floor(Date.now() / 1_000),
    iss: issuer.getPublicKey(),
    name,
    sub: subject.getPublicKey(),
    nats: { ...nats, type, version: 2 },
  };
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`;
  return `${signed}.${Buffer.from(issuer.sign(new TextEncoder().encode(signed))).toString('base64url')}`;
}

/** The file that `nsc generate creds` writes. */
function credsFile(token: string, user: KeyPair): string {
  const seed = new TextDecoder().decode(user.getSeed());
  return `-----BEGIN NATS USER JWT-----
${token}
------END NATS USER JWT------

************************* IMPORTANT *************************
NKEY Seed printed below can be used to sign and prove identity.
NKEYs are sensitive and should be treated as secrets.

-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------

*************************************************************
`;
}

const unlimited = { subs: -1, data: -1, payload: -1 };
const accountLimits = { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

/**
 * The two accounts of docs/operations.md as an operator of NATS gives them out, in JWTs: the configuration of the server, and the
 * credentials file of each user with its generated rights.
 */
export function jwtAccounts() {
  const operator = nkeys.createOperator();
  const [system, streams, services] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createAccount()];
  const account = (key: KeyPair, name: string, claims: object, limits: object = {}) =>
    [
      key.getPublicKey(),
      jwt(operator, key, { name, type: 'account', limits: { ...accountLimits, ...limits }, ...claims }),
    ] as const;
  const imported = new Map(
    serviceNames.flatMap(importsOf).map((each) => [`${each.subject} ${each.to}`, each] as const),
  );
  const preload = [
    account(system, 'SYS', {}),
    account(
      streams,
      'STREAMS',
      {
        exports: [
          {
            name: 'all',
            subject: '>',
            type: 'service',
            response_type: 'Stream',
            response_threshold: 12_000_000_000,
          },
        ],
      },
      storage,
    ),
    account(services, 'SERVICES', {
      imports: [...imported.values()].map(({ subject, to }, i) => ({
        name: `import ${i}`,
        subject,
        account: streams.getPublicKey(),
        local_subject: to,
        type: 'service',
      })),
    }),
  ];
  const configuration = [
    // The rights of `streams` make its JWT longer than the 4 KiB that a server takes by default.
    'max_control_line: 64KB',
    `operator: ${jwt(operator, operator, { name: 'a test', type: 'operator' })}`,
    `system_account: ${system.getPublicKey()}`,
    'resolver: MEMORY',
    'resolver_preload {',
    ...preload.map(([key, token]) => `  ${key}: ${token}`),
    '}',
  ].join('\n');
  const credsOf = (name: NatsUser, over: { exp?: number } = {}): string => {
    const isService = (serviceNames as readonly string[]).includes(name);
    const user = nkeys.createUser();
    const rights = natsRightsOf(name);
    const permissions = rights ? { pub: { allow: rights.publish }, sub: { allow: rights.subscribe } } : {};
    const token = jwt(isService ? services : streams, user, {
      name,
      type: 'user',
      ...unlimited,
      ...permissions,
      ...over,
    });
    return credsFile(token, user);
  };
  return { configuration, credsOf, users: natsUsers };
}
