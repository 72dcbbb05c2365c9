import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { natsUsers } from '@casewatch/platform';
import { freePort, resolveBinary, startNatsServer, tempFolder } from '@casewatch/testing';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type DataDir, dataDirAt } from '../src/data-dir.ts';
import { keepNats, keepStreamsDeclared } from '../src/infrastructure.ts';
import { assignPorts } from '../src/ports.ts';
import { loadSecrets } from '../src/secrets.ts';

let folder: Awaited<ReturnType<typeof tempFolder>>;
let data: DataDir;
beforeEach(async () => {
  folder = await tempFolder();
  data = dataDirAt(folder.path);
});
afterEach(() => folder.remove());

const streamsOf = (account: string) => join(data.nats, 'jetstream', account, 'streams');

/** The first seconds of `npm start`, with all streams declared. @returns what it says */
async function start(): Promise<string[]> {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const secrets = loadSecrets(data.secrets);
  const ports = { ...assignPorts(0), nats: await freePort() };
  const nats = await keepNats(await resolveBinary('nats-server'), data, { ports, secrets }, say);
  const addresses = { nats_url: `nats://127.0.0.1:${ports.nats}` } as never;
  const source = { ports, secrets, addresses, env: {} };
  const keeper = await keepStreamsDeclared(source, say, new AbortController().signal);
  await keeper.stop();
  await nats.stop();
  return said;
}

/** A server whose users share one account, as it was, with all streams. */
async function leaveFormerStreams(): Promise<void> {
  const { natsPasswords } = loadSecrets(data.secrets);
  const users = natsUsers.map(
    (user) => `{ user: ${user}, password: ${JSON.stringify(natsPasswords[user])} }`,
  );
  const port = await freePort();
  const files = { dataDir: data.nats, logFile: join(folder.path, 'former.log') };
  const { path: binary } = await resolveBinary('nats-server');
  const authorization = `authorization { users = [${users.join(', ')}] }`;
  const former = await startNatsServer({ binary, port, authorization, ...files });
  const source = { secrets: loadSecrets(data.secrets), addresses: { nats_url: former.url }, env: {} };
  const keeper = await keepStreamsDeclared(source as never, () => {}, new AbortController().signal);
  await keeper.stop();
  await former.stop();
}

it('removes the streams of the former single account once, says so, and keeps those of now', async () => {
  await leaveFormerStreams();
  expect(existsSync(streamsOf('$G'))).toBe(true);
  expect(await start()).toEqual([expect.stringMatching(/^The streams have an account of their own now\./)]);
  expect({ former: existsSync(streamsOf('$G')), now: existsSync(streamsOf('STREAMS')) }).toEqual({
    former: false,
    now: true,
  });
  expect(await start()).toEqual([]);
  expect(existsSync(join(streamsOf('STREAMS'), 'IDENTITY'))).toBe(true);
});

it('says nothing in an empty folder', async () => {
  expect(await start()).toEqual([]);
});
