import { createServer, type Server } from 'node:net';
import tls from 'node:tls';
import { ConnectTimeoutError, ExchangeError, type ExchangePhase } from '@casewatch/platform';
import { makeAuthority } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEndpointClient } from '../../src/clients/endpoint.ts';
import { failureOf } from '../../src/clients/failure.ts';
import { BlockedAddressError, createPublicAddresses, NameError } from '../../src/clients/public-addresses.ts';
import { networksFrom } from '../../src/domain/networks.ts';
import { attemptMessage } from '../../src/present/attempt-message.ts';
import { portOf } from '../support/port-of.ts';

const withCode = (code: string, reason?: string) =>
  Object.assign(new Error('text of the system'), { code, reason });

/** Of two addresses, as node:net reports them. */
const both = (...codes: string[]) =>
  Object.assign(new AggregateError(codes.map((code) => withCode(code))), { code: codes[0] });

const sentenceOf = (error: unknown) =>
  attemptMessage({ status: null, ms: 5_000, location: null, ...failureOf(error) });

const table: [ExchangePhase, Error, string, string][] = [
  ['connect', withCode('ECONNREFUSED'), 'connect_refused', 'The host refused the connection.'],
  ['connect', withCode('EHOSTUNREACH'), 'connect_refused', 'No connection: there is no route to the host.'],
  ['connect', withCode('EPERM'), 'connect_refused', 'No connection: our network does not allow it.'],
  ['connect', withCode('EMFILE'), 'connect_refused', 'No connection: system error EMFILE.'],
  ['connect', withCode('ECONNRESET'), 'connect_refused', 'No connection: the host reset it.'],
  ['connect', withCode('ETIMEDOUT'), 'connect_timeout', 'No connection in 5,000 ms.'],
  [
    'connect',
    both('ERR_SOCKET_CONNECTION_TIMEOUT', 'ENETUNREACH'),
    'connect_timeout',
    'No connection in 5,000 ms.',
  ],
  ['connect', both('ECONNREFUSED', 'ENETUNREACH'), 'connect_refused', 'The host refused the connection.'],
  ['connect', new ConnectTimeoutError('late'), 'connect_timeout', 'No connection in 5,000 ms.'],
  ['connect', new NameError('the host was not judged'), 'dns_error', 'DNS: the host was not judged.'],
  [
    'tls',
    new ConnectTimeoutError('late'),
    'connect_timeout',
    'No connection in 5,000 ms: the TLS handshake did not finish.',
  ],
  ['tls', withCode('CERT_HAS_EXPIRED'), 'tls_error', 'TLS: certificate has expired.'],
  ['tls', withCode('INVALID_PURPOSE'), 'tls_error', 'TLS: certificate is not a server certificate.'],
  ['tls', withCode('UNSPECIFIED'), 'tls_error', 'TLS: the handshake failed (UNSPECIFIED).'],
  [
    'tls',
    withCode('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'sslv3 alert handshake failure'),
    'tls_error',
    'TLS: the handshake failed (sslv3 alert handshake failure).',
  ],
  ['tls', withCode('ECONNRESET'), 'tls_error', 'TLS: the host closed the connection during the handshake.'],
  ['answer', withCode('ECONNRESET'), 'reset', 'The connection was closed before the response.'],
  ['answer', withCode('EPIPE'), 'reset', 'The connection was closed while the request was sent.'],
  ['answer', withCode('EHOSTUNREACH'), 'reset', 'The connection was closed by the network.'],
  ['answer', withCode('ETIMEDOUT'), 'timeout', 'No answer in 5,000 ms: the network lost the connection.'],
  [
    'answer',
    withCode('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'decryption failed or bad record mac'),
    'tls_error',
    'TLS: the handshake failed (decryption failed or bad record mac).',
  ],
  ['head', withCode('ECONNRESET'), 'reset', 'The connection was closed within the head of the response.'],
  [
    'head',
    withCode('HPE_INVALID_TRANSFER_ENCODING', 'Request has invalid `Transfer-Encoding`'),
    'response_malformed',
    'The response is not valid HTTP: request has invalid `Transfer-Encoding`.',
  ],
  ['head', withCode('HPE_NEW'), 'response_malformed', 'The response is not valid HTTP: HPE_NEW.'],
];

describe('the cause of a failed attempt', () => {
  it.each(table.map(([phase, cause, error, sentence]) => [phase, sentence, error, cause] as const))(
    'while %s: %s',
    (phase, sentence, error, cause) => {
      const failed = new ExchangeError(phase, cause);
      expect([failureOf(failed).error, sentenceOf(failed)]).toEqual([error, sentence]);
    },
  );

  it.each([
    ['blocked_address', new BlockedAddressError('x')],
    ['dns_error', new NameError('the name server did not answer in time')],
    ['timeout', new DOMException('over', 'AbortError')],
    ['connect_refused', new TypeError('a fault of ours')],
  ])('without an exchange: %s', (expected, error) => {
    expect(failureOf(error).error).toBe(expected);
  });

  it('never shows the text of an error, which can have addresses', () => {
    for (const [phase, cause] of table)
      expect(sentenceOf(new ExchangeError(phase, cause))).not.toContain('text of the system');
  });
});

describe('an endpoint with a fault in its TLS', () => {
  const authority = makeAuthority();
  const trusted = tls.getCACertificates('default');
  const addresses = createPublicAddresses({
    resolve: async () => [],
    networks: networksFrom(),
    allowLoopback: true,
    now: () => new Date(),
  });
  const client = createEndpointClient(addresses, { totalMs: 10_000, connectMs: 5_000, dnsMs: 500 });
  const servers: Server[] = [];
  beforeAll(() => tls.setDefaultCACertificates([...trusted, authority.ca]));
  afterAll(async () => {
    await client.stop();
    tls.setDefaultCACertificates(trusted);
    await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  });

  const own = () => authority.issue('localhost');
  const kinds: [string, () => Server, string][] = [
    [
      'closes the connection during the handshake',
      () => createServer((socket) => void socket.once('data', () => socket.destroy())),
      'TLS: the host closed the connection during the handshake.',
    ],
    [
      'resets the connection during the handshake',
      () => createServer((socket) => void socket.once('data', () => socket.resetAndDestroy())),
      'TLS: the host closed the connection during the handshake.',
    ],
    [
      'does not speak TLS',
      () => createServer((socket) => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n'))),
      'TLS: the port does not speak TLS.',
    ],
    [
      'speaks an old version only',
      () =>
        tls.createServer({
          ...own(),
          minVersion: 'TLSv1',
          maxVersion: 'TLSv1.1',
          ciphers: 'ALL:@SECLEVEL=0',
        }),
      'TLS: the host does not support TLS 1.2 or later.',
    ],
    [
      'asks for a certificate of ours',
      () =>
        tls.createServer({
          ...own(),
          requestCert: true,
          rejectUnauthorized: true,
          ca: authority.ca,
          minVersion: 'TLSv1.3',
        }),
      'TLS: the host asks for a client certificate.',
    ],
    [
      'has a certificate of another authority with the name of a known one',
      () => tls.createServer(makeAuthority().issue('localhost')),
      'TLS: signature of the certificate is wrong.',
    ],
  ];

  it.each(kinds)('that %s: the sentence says so', async (_what, make, sentence) => {
    const server = make();
    server.on('connection', (socket) => socket.on('error', () => undefined));
    servers.push(server);
    const url = `https://localhost:${await portOf(server)}/`;
    const outcome = await client.post({ webhookId: 1, url, headers: {}, body: '{}' });
    expect([outcome.error, attemptMessage(outcome)]).toEqual(['tls_error', sentence]);
  });
});
