import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { requests } from '@casewatch/contracts';
import { freePort, resolveBinary, startNatsServer, tempFolder, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';

const password = 'refused-subscription';
const operator = { user: 'operator', pass: password };

/** The rights of `cases`, without `refused`: a roll-out may reach a service before the users of NATS. */
function rights(refused: string[]): string {
  const deny = `permissions: { subscribe: { allow: [">"], deny: ${JSON.stringify(refused)} } }`;
  return `authorization { users: [
    { user: operator, password: "${password}" },
    { user: cases, password: "${password}", ${deny} }
  ] }`;
}

describe('a subscription that NATS refuses', () => {
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  let server: Awaited<ReturnType<typeof startNatsServer>>;
  let port: number;
  let asker: NatsConnection;
  let cases: ChildProcess;
  const exits: unknown[] = [];

  async function startServer(refused: string[]): Promise<void> {
    const { path: binary } = await resolveBinary('nats-server');
    const files = { dataDir: join(folder.path, 'data'), logFile: join(folder.path, 'nats.log') };
    server = await startNatsServer({ binary, port, authorization: rights(refused), ...files });
  }

  /** Whether somebody answers, with whatever. */
  const isAnswered = async (name: 'cases.active' | 'cases.count', data: object): Promise<boolean> => {
    const reply = `_INBOX_${requests[name].askers[0]}.cases.token`;
    const options = { timeout: 1_000, noMux: true, reply };
    return await asker.request(name, JSON.stringify(data), options).then(
      () => true,
      () => false,
    );
  };

  beforeAll(async () => {
    folder = await tempFolder();
    port = await freePort();
    await startServer(['cases.count']);
    asker = await connect({ servers: server.url, ...operator });
    cases = fork(join(import.meta.dirname, 'support/serve-cases.program.ts'), [server.url, password]);
    cases.on('exit', (code) => exits.push(code));
    await once(cases, 'message');
  });

  afterAll(async () => {
    cases.kill('SIGKILL');
    await asker.close();
    await server.stop();
    await folder.remove();
  });

  it('ends no process: its other requests are answered', async () => {
    expect(await isAnswered('cases.count', { partner_id: 1 })).toBe(false);
    await waitFor(() => isAnswered('cases.active', { case_ids: [1] }), { what: 'an answer of cases.active' });
    expect(exits).toEqual([]);
  });

  it('is made again once the rights are there', async () => {
    await server.stop();
    await startServer([]);
    const answered = () => isAnswered('cases.count', { partner_id: 1 });
    await waitFor(answered, { timeoutMs: 30_000, what: 'an answer of cases.count' });
    expect(exits).toEqual([]);
  });
});
