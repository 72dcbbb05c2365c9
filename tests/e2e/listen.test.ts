import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createPartner, type PartnerWithKey } from '@casewatch/driver';
import { freePort, type TempFolder, tempFolder, waitFor } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newPartner } from '../support/operator.ts';
import { type System, sharedSystem } from '../support/system.ts';

const program = join(import.meta.dirname, '../../tools/listen/src/main.mjs');

describe('casewatch-listen', () => {
  let system: System;
  let folder: TempFolder;
  let keys: PartnerWithKey;
  let server: Server;
  const received: { headers: Record<string, string>; body: string }[] = [];
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    system = await sharedSystem();
    folder = await tempFolder();
    keys = await newPartner(system.dataDir, 'Listens At A Desk');
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = request.headers as Record<string, string>;
      received.push({ headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(200).end();
    });
    // It closes and opens again on this port: one that the system chose could be another connection's by then.
    await open(await freePort());
  });
  afterEach(() => running.splice(0).forEach((child) => void child.kill('SIGKILL')));
  afterAll(async () => {
    server.close();
    await folder.remove();
  });

  const open = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  const portOf = () => (server.address() as AddressInfo).port;
  const userIds = () => received.map(({ body }) => JSON.parse(body).data.user.id);
  const newUser = async () => (await createPartner(system.dev(), keys).newUser()).id;

  function listen(port: number, env = {}, ...words: string[]) {
    const args = [program, '--forward-to', `http://127.0.0.1:${port}/hooks`, ...words];
    const child = spawn(process.execPath, args, {
      cwd: folder.path,
      env: {
        PATH: process.env.PATH,
        CASEWATCH_URL: system.dev().gateway_url,
        CASEWATCH_API_KEY: keys.api_key,
        CASEWATCH_API_SECRET: keys.api_secret,
        ...env,
      },
    });
    running.push(child);
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', (line) => lines.push(line));
    return { child, lines };
  }

  it('forwards each event signed, waits for a server that is down, and continues after it is killed', async () => {
    const first = listen(portOf());
    await waitFor(() => first.lines.some((line) => line.startsWith('Starting at ')));
    const [one] = [await newUser()];
    await waitFor(() => userIds().includes(one), { timeoutMs: 30_000, what: 'the first event' });
    await waitFor(() => first.lines.some((line) => /user\.created {2}evt_\S+ {2}-> 200/.test(line)));
    first.child.kill('SIGKILL');

    const port = portOf();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const two = await newUser();
    const second = listen(port);
    await waitFor(() => second.lines.includes('Continuing where the last run stopped'));
    await waitFor(
      () => second.lines.some((line) => /does not answer \(ECONNREFUSED\); waiting for it$/.test(line)),
      {
        timeoutMs: 30_000,
      },
    );
    await open(port);
    await waitFor(() => userIds().includes(two), { timeoutMs: 30_000, what: 'the second event' });

    const secretOf = (lines: string[]) => /^Signing secret: (\S+) /.exec(lines[0] ?? '')?.[1] ?? '';
    expect(secretOf(second.lines)).toBe(secretOf(first.lines));
    for (const { headers, body } of received) {
      expect(new Webhook(secretOf(first.lines)).verify(body, headers)).toEqual(JSON.parse(body));
      expect(headers['webhook-id']).toBe(JSON.parse(body).id);
    }
    second.child.kill('SIGTERM');
    expect(await once(second.child, 'exit')).toEqual([0, null]);
  });

  it.each([
    [{ CASEWATCH_API_KEY: '' }, [], 'Set CASEWATCH_API_KEY and CASEWATCH_API_SECRET'],
    [{ CASEWATCH_URL: '' }, [], 'Give --gateway, or set CASEWATCH_URL'],
    [{}, ['--since', 'yesterday'], '--since yesterday is not a time'],
    [{}, ['--port', '3000'], "Unknown option '--port'"],
    [{ CASEWATCH_API_SECRET: 'wrong' }, [], '401: '],
    [{}, ['--types', 'case.moved', '--since', '2026-01-01T00:00:00Z'], 'case.moved is not an event type'],
  ])('ends with a sentence that says what to do: %j %j', async (env, words, sentence) => {
    const { child, lines } = listen(portOf(), env, ...words);
    expect(await once(child, 'exit')).toEqual([2, null]);
    expect(lines.some((line) => line.startsWith(sentence))).toBe(true);
  });
});
