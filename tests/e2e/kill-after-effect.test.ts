import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createPartner, keyHeaders, newReceipt, received, send, setReceipt } from '@casewatch/driver';

import { connectDatabase, waitFor } from '@casewatch/testing';
import { beforeAll, expect, it } from '@jest/globals';
import {
  type DevFile,
  describeOwnSystem,
  pidOf,
  type System,
  sharedSystemOfProcesses,
} from '../support/system.ts';

type Creation = {
  service: keyof DevFile['services'];
  /** Name of the object, and of its collection where that has the same name in the plural. */
  name: 'user' | 'case' | 'webhook';
  path: string;
  body: Record<string, unknown>;
  /** How the stored row is found. */
  row: Record<string, unknown>;
};

describeOwnSystem('kill -9 of a service between what it did and its answer', () => {
  let system: System;
  beforeAll(async () => {
    system = await sharedSystemOfProcesses();
  });

  const creations: [what: string, make: () => Promise<Creation>][] = [
    [
      'user',
      async () => {
        const email = `killed.${randomUUID()}@example.com`;
        const body = { email, name: 'Killed Person' };
        return { service: 'identity', name: 'user', path: '/v1/client/users', body, row: { email } };
      },
    ],
    [
      'case',
      async () => {
        const dev = system.dev();
        const { id } = await createPartner(dev, dev.partner).newUser();
        const receipt_number = newReceipt();
        await setReceipt(dev, receipt_number, received);
        const body = { receipt_number, uscis_access_acknowledged: true };
        const path = `/v1/client/users/${id}/cases`;
        return { service: 'cases', name: 'case', path, body, row: { user_id: id } };
      },
    ],
    [
      'webhook',
      async () => {
        const description = randomUUID();
        const body = { url: `${system.dev().receiver_url}/hooks/killed`, events: ['*'], description };
        return { service: 'webhooks', name: 'webhook', path: '/v1/webhooks', body, row: { description } };
      },
    ],
  ];

  it.each(creations)('leaves one %s, which the same Idempotency-Key gives again', async (_what, make) => {
    const { service, name, path, body, row } = await make();
    const env = JSON.parse(readFileSync(join(system.dataDir, 'dev-env.json'), 'utf8'));
    const db = await connectDatabase(env[service].MONGODB_URL);
    try {
      const rows = db.collection(`${name}s`);
      const key = randomUUID();
      const before = pidOf(system, service);
      const nobodyReads = await sendUnread(path, body, key);
      const stored = await waitFor(() => rows.findOne(row), {
        intervalMs: 1,
        timeoutMs: 30_000,
        what: 'the effect',
      });
      process.kill(before, 'SIGKILL');
      await waitFor(() => system.dev().services[service]?.pid !== before, {
        timeoutMs: 60_000,
        what: 'the restart',
      });
      nobodyReads.destroy();

      const again = await waitFor(
        async () => {
          const ask = { path, body, headers: headersOf(key) };
          const answer = await send(system.dev(), 'POST', ask);
          return answer.body.retryable !== true && answer;
        },
        { timeoutMs: 60_000, intervalMs: 250, what: 'the answer' },
      );
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect((again.body[name] as { id: number }).id).toBe(Number(stored._id));
      expect(await rows.countDocuments(row)).toBe(1);
    } finally {
      await db.close();
    }
  });

  const headersOf = (key: string) => ({
    ...keyHeaders(system.dev().partner),
    'content-type': 'application/json',
    'idempotency-key': key,
  });

  /** Sends the request, whole, and reads nothing of what comes back. */
  async function sendUnread(path: string, body: unknown, key: string) {
    const { hostname, port } = new URL(system.dev().gateway_url);
    const text = JSON.stringify(body);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    // What is done to the service resets the connection: that is what this is about.
    socket.on('error', () => socket.destroy());
    const headers = { ...headersOf(key), host: hostname, 'content-length': String(Buffer.byteLength(text)) };
    const lines = Object.entries(headers).map(([field, value]) => `${field}: ${value}`);
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
    return socket;
  }
});
