import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { createLogger, followCertificate, type HttpServer, serverTls, startHttp } from '@casewatch/platform';
import { makeAuthority, tempFolder, waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const log = createLogger('cases', 'silent');
const { ca, issue } = makeAuthority();
const first = issue('first');
const second = issue('second');

/** What a server on this port shows. @throws Error where no connection comes about */
function shownAt(port: number, options: object = {}): Promise<{ name: string; protocol: string | null }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca, ...options }, () => {
      resolve({ name: String(socket.getPeerCertificate().subject.CN), protocol: socket.getProtocol() });
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

describe('the HTTP side of a service with a certificate', () => {
  let http: HttpServer;
  let folder: Awaited<ReturnType<typeof tempFolder>>;
  let env: { TLS_CERT_FILE: string; TLS_KEY_FILE: string };
  beforeEach(async () => {
    folder = await tempFolder();
    env = { TLS_CERT_FILE: join(folder.path, 'tls.crt'), TLS_KEY_FILE: join(folder.path, 'tls.key') };
    write(first.cert, first.key);
    const tls = serverTls({ TLS_CERT: first.cert, TLS_KEY: first.key });
    http = await startHttp({
      service: 'cases',
      log,
      host: '127.0.0.1',
      port: 0,
      tls,
      ready: async () => true,
    });
  });
  afterEach(async () => {
    await http.stop(1_000);
    await folder.remove();
  });

  function write(cert: string, key: string): void {
    writeFileSync(env.TLS_CERT_FILE, cert);
    writeFileSync(env.TLS_KEY_FILE, key);
  }

  it('answers over TLS 1.3 alone', async () => {
    const status = await new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port: http.port, path: '/readyz', ca, agent: false }, (res) => {
        res.resume();
        resolve(res.statusCode);
      })
        .once('error', reject)
        .end();
    });
    expect(status).toBe(200);
    expect(await shownAt(http.port)).toEqual({ name: 'first', protocol: 'TLSv1.3' });
    await expect(shownAt(http.port, { maxVersion: 'TLSv1.2' })).rejects.toThrow(/alert protocol version/);
    await expect(fetch(`http://127.0.0.1:${http.port}/readyz`)).rejects.toThrow();
  });

  it('shows a new certificate once both of its files are there, and until then the former one', async () => {
    const looks: string[] = [];
    const watching = Object.assign(Object.create(log) as typeof log, {
      info: () => looks.push('replaced'),
      error: () => looks.push('refused'),
    });
    const stop = followCertificate(env, watching, 20);
    try {
      write(second.cert, first.key);
      await waitFor(() => looks.includes('refused'), { what: 'a look at half a change' });
      expect((await shownAt(http.port)).name).toBe('first');

      write(second.cert, second.key);
      await waitFor(() => looks.includes('replaced'), { what: 'a look at the whole change' });
      expect((await shownAt(http.port)).name).toBe('second');
    } finally {
      stop();
    }
  });

  it('stops although a connection never begins its handshake', async () => {
    const silent = connectTcp(http.port, '127.0.0.1');
    await new Promise((resolve) => silent.once('connect', resolve));
    const ended = new Promise((resolve) => silent.once('close', resolve));
    const began = performance.now();
    await http.stop(1_000);
    expect(performance.now() - began).toBeLessThan(9_000);
    await ended;
  });
});
