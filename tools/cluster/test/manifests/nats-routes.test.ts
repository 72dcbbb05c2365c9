import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  makeAuthority,
  resolveBinary,
  startNatsServer,
  tempFolder,
  waitFor,
} from '@casewatch/testing';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DEPLOY } from '../../src/verify/settings.ts';

const conf = readFileSync(join(DEPLOY, 'components/nats/nats.conf'), 'utf8');
/** What the members of components/nats know of each other: from `cluster {` to the brace that stands alone. */
const cluster = /^cluster \{\n[\s\S]*?^\}$/m.exec(conf)?.[0] ?? '';

let folder: Awaited<ReturnType<typeof tempFolder>>;
const stops: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  await folder.remove();
});

type Member = {
  name: string;
  routePort: number;
  to: number;
  tls?: { ca: string; cert: string; key: string };
};

/** A nats-server with that block; without a certificate the same but for its TLS. */
async function startMember({ name, routePort, to, tls }: Member) {
  const certificates = join(folder.path, `${name}-tls`);
  const dataDir = join(folder.path, name);
  const routes = `routes: ["nats://127.0.0.1:${to}"]\n}`;
  const block = cluster
    .replace('port: 6222', `listen: "127.0.0.1:${routePort}"`)
    .replaceAll('/run/secrets/tls/', `${certificates}-`)
    .replace(/routes: \[[\s\S]*\]\n\}/, routes);
  if (tls)
    for (const [file, text] of Object.entries({ 'ca.crt': tls.ca, 'tls.crt': tls.cert, 'tls.key': tls.key }))
      writeFileSync(`${certificates}-${file}`, text);
  const monitorPort = await freePort();
  const server = await startNatsServer({
    binary: (await resolveBinary('nats-server')).path,
    dataDir,
    port: await freePort(),
    name,
    logFile: join(folder.path, `${name}.log`),
    authorization: [
      `http: "127.0.0.1:${monitorPort}"`,
      tls ? block : block.replace(/tls \{[\s\S]*?\}/, ''),
    ].join('\n'),
  });
  stops.push(() => server.stop());
  return {
    log: () => readFileSync(join(folder.path, `${name}.log`), 'utf8'),
    async peers(): Promise<string[]> {
      const answer = await fetch(`http://127.0.0.1:${monitorPort}/routez`);
      const { routes: found } = (await answer.json()) as { routes?: { remote_name: string }[] };
      return [...new Set(found?.map(({ remote_name }) => remote_name))];
    },
  };
}

it('lets a server join by a certificate of the authority, and no other', async () => {
  const { ca, issue } = makeAuthority();
  const other = makeAuthority('other authority');
  const [first, second, third, fourth] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const member = await startMember({
    name: 'nats-0',
    routePort: first,
    to: first,
    tls: { ca, ...issue('nats') },
  });
  await startMember({ name: 'plain', routePort: second, to: first });
  // It trusts the members, so that it is theirs to refuse.
  const foreign = { ca: ca + other.ca, ...other.issue('nats') };
  await startMember({ name: 'foreign', routePort: third, to: first, tls: foreign });
  const refusals = [/not look like a TLS handshake/, /client didn't provide a certificate/];
  await waitFor(() => refusals.every((reason) => reason.test(member.log())), {
    what: 'two refusals',
    timeoutMs: 30_000,
  });
  await startMember({ name: 'nats-1', routePort: fourth, to: first, tls: { ca, ...issue('nats') } });
  await waitFor(async () => (await member.peers()).includes('nats-1'), {
    what: 'the second member',
    timeoutMs: 30_000,
  });
  expect(await member.peers()).toEqual(['nats-1']);
});
