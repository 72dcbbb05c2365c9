import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connectBus, createLogger, natsAuthorization, retryUntilAvailable } from '@casewatch/platform';
import { connectMongo } from '@casewatch/platform/database';
import {
  freePort,
  makeAuthority,
  resolveBinary,
  startMongod,
  startNatsServer,
  tempFolder,
  waitFor,
} from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const { ca, issue } = makeAuthority();
const server = issue('server');
const client = issue('cases');
const password = 'a-password-that-only-the-tests-know';

let folder: Awaited<ReturnType<typeof tempFolder>>;
beforeAll(async () => {
  folder = await tempFolder();
  write('ca.pem', ca);
  write('server.crt', server.cert);
  write('server.key', server.key);
  write('server.pem', server.cert + server.key);
});
afterAll(() => folder.remove());

function write(name: string, text: string): void {
  writeFileSync(path(name), text, { mode: 0o600 });
}

function path(name: string): string {
  return join(folder.path, name);
}

describe('connections with TLS', () => {
  it('to MongoDB: trust the given authority alone, and show the client certificate', async () => {
    const { path: binary } = await resolveBinary('mongod');
    const port = await freePort();
    const mongod = await startMongod({
      binary,
      port,
      dataDir: path('mongod'),
      logFile: path('mongod.log'),
      moreArgs: [
        '--tlsMode=preferTLS',
        `--tlsCertificateKeyFile=${path('server.pem')}`,
        `--tlsCAFile=${path('ca.pem')}`,
      ],
    });
    try {
      const url = `mongodb://127.0.0.1:${port}/cases?directConnection=true&tls=true`;
      await Promise.all([
        expect(connectMongo(url, client)).rejects.toThrow(),
        expect(connectMongo(url, { ca })).rejects.toThrow(),
      ]);
      const log = createLogger('cases', 'silent');
      const db = await retryUntilAvailable(
        () => connectMongo(url, { ca, ...client }),
        log,
        () => true,
      );
      expect(await db.db?.admin().ping()).toMatchObject({ ok: 1 });
      await db.close();
    } finally {
      await mongod.stop();
    }
  });

  it('to NATS: trust the given authority, and show the client certificate', async () => {
    const { path: binary } = await resolveBinary('nats-server');
    const port = await freePort();
    const tls = `tls { cert_file: "${path('server.crt')}", key_file: "${path('server.key')}", ca_file: "${path('ca.pem')}", verify: true }`;
    const nats = await startNatsServer({
      binary,
      port,
      dataDir: path('nats'),
      logFile: path('nats.log'),
      authorization: `${natsAuthorization({ cases: password })}\n${tls}\n`,
    });
    try {
      const bus = await connectBus({
        service: 'cases',
        url: `tls://127.0.0.1:${port}`,
        user: 'cases',
        password,
        tls: { ca, ...client },
        log: createLogger('cases', 'silent'),
      });
      await bus.connection.flush();
      expect(bus.connection.info).toMatchObject({ tls_required: true });
      await bus.stop();
    } finally {
      await nats.stop();
    }
  });

  it('to NATS: never say the password to a server that offers none', async () => {
    const said: string[] = [];
    let calls = 0;
    const plain = createServer((socket) => {
      calls += 1;
      socket.on('data', (chunk) => said.push(String(chunk)));
      socket.on('error', () => undefined); // It hangs up, as it should.
      socket.write(
        'INFO {"server_id":"x","version":"2.11.0","headers":true,"max_payload":1048576,"proto":1}\r\n',
      );
    });
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as { port: number };
    // It tries for ever, so it is a process that can be ended.
    const child = fork(join(import.meta.dirname, 'support/connect-bus.program.ts'), [
      `tls://127.0.0.1:${port}`,
      password,
    ]);
    await waitFor(() => calls >= 2, { timeoutMs: 60_000, what: 'a second try' });
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    plain.close();
    expect(said.join('')).not.toContain('CONNECT');
    expect(said.join('')).not.toContain(password);
  });
});
