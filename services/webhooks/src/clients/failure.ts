import {
  AnswerError,
  ConnectTimeoutError,
  ExchangeError,
  type ExchangePhase,
  maxHeaderBytes,
} from '@casewatch/platform';
import { BlockedAddressError, NameError } from './public-addresses.ts';

/** The error classes of webhooks.md, Delivery, except those of a status. */
export type ErrorClass =
  | 'dns_error'
  | 'blocked_address'
  | 'connect_refused'
  | 'connect_timeout'
  | 'tls_error'
  | 'reset'
  | 'timeout'
  | 'response_malformed';

/** `cause`: what exactly happened, as the end of the sentence in present/attempt-message.ts; null if the class says it. */
export type Failure = { error: ErrorClass; cause: string | null };

/** Why an attempt has no status. */
export function failureOf(error: unknown): Failure {
  if (error instanceof BlockedAddressError) return { error: 'blocked_address', cause: null };
  if (error instanceof NameError) return { error: 'dns_error', cause: error.message };
  if (error instanceof ExchangeError) return failureOfExchange(error.phase, error.cause);
  // The time of the attempt is over, or of whoever waits for it.
  if (error instanceof Error && error.name === 'AbortError') return { error: 'timeout', cause: null };
  return { error: 'connect_refused', cause: 'we could not make the request' };
}

function failureOfExchange(phase: ExchangePhase, error: unknown): Failure {
  if (error instanceof NameError) return { error: 'dns_error', cause: error.message };
  if (error instanceof AnswerError) return { error: 'response_malformed', cause: error.message };
  if (error instanceof ConnectTimeoutError)
    return { error: 'connect_timeout', cause: phase === 'tls' ? 'the TLS handshake did not finish' : null };
  const code = failureCode(error);
  if (code.startsWith('HPE_')) return { error: 'response_malformed', cause: parserFault(code, error) };
  if (phase === 'connect') return connectFailures[code] ?? { error: 'connect_refused', cause: unknown(code) };
  if (phase === 'tls' || tlsCode.test(code)) return { error: 'tls_error', cause: tlsFault(code, error) };
  if (code === 'ETIMEDOUT') return { error: 'timeout', cause: 'the network lost the connection' };
  return {
    error: 'reset',
    cause: phase === 'head' ? 'within the head of the response' : (resets[code] ?? null),
  };
}

const noRoute: Failure = { error: 'connect_refused', cause: 'there is no route to the host' };
const noOwnNetwork: Failure = { error: 'connect_refused', cause: 'our network does not allow it' };
const noAnswer: Failure = { error: 'connect_timeout', cause: null };

/** Codes of connect(2). */
const connectFailures: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: { error: 'connect_refused', cause: null },
  ECONNRESET: { error: 'connect_refused', cause: 'the host reset it' },
  EHOSTUNREACH: noRoute,
  EHOSTDOWN: noRoute,
  ENETUNREACH: noRoute,
  EADDRNOTAVAIL: noRoute,
  ENETDOWN: noOwnNetwork,
  EACCES: noOwnNetwork,
  EPERM: noOwnNetwork,
  ETIMEDOUT: noAnswer,
  // Of one of several addresses (RFC 8305).
  ERR_SOCKET_CONNECTION_TIMEOUT: noAnswer,
};

const resets: Readonly<Record<string, string>> = {
  EPIPE: 'while the request was sent',
  ECONNABORTED: 'by the network',
  EHOSTUNREACH: 'by the network',
  ENETUNREACH: 'by the network',
  ENETDOWN: 'by the network',
};

/** Errors of the parser of Node (llhttp) that remain although it is lenient. */
const parserFaults: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `its headers are larger than ${maxHeaderBytes / 1_024} KiB`,
  HPE_UNEXPECTED_CONTENT_LENGTH: 'Content-Length appears twice',
  HPE_INVALID_CONTENT_LENGTH: 'Content-Length is not a number',
  HPE_INVALID_CONSTANT: 'it does not begin with HTTP/1',
  HPE_INVALID_VERSION: 'its version is not HTTP/1.0 or HTTP/1.1',
  HPE_INVALID_STATUS: 'its status is not a number of three digits',
  HPE_INVALID_HEADER_TOKEN: 'a header has a character that is not allowed',
  HPE_LF_EXPECTED: 'a line of its head does not end with a line feed',
};

/** `reason`: a constant text of the parser, such as "Invalid transfer coding". */
function parserFault(code: string, error: unknown): string {
  const reason = textOf(error, 'reason');
  return parserFaults[code] ?? (reason === '' ? code : `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`);
}

// Errors of the handshake in Node and OpenSSL, also after it: TLS 1.3 asks for the client's certificate then.
const tlsCode = /^(ERR_TLS_|ERR_SSL_|CERT_|EPROTO$)/;

const incompleteChain = 'certificate chain is incomplete, or its issuer is not known';

/** Codes of Node and OpenSSL; errors of OpenSSL have a reason instead. */
const tlsFaults: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not valid yet',
  CERT_REVOKED: 'certificate was revoked',
  CERT_SIGNATURE_FAILURE: 'signature of the certificate is wrong',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate chain ends with a self-signed certificate',
  UNABLE_TO_GET_ISSUER_CERT: incompleteChain,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: incompleteChain,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: incompleteChain,
  INVALID_CA: 'certificate chain has a certificate that is not allowed to issue others',
  PATH_LENGTH_EXCEEDED: 'certificate chain is too long',
  CERT_CHAIN_TOO_LONG: 'certificate chain is too long',
  INVALID_PURPOSE: 'certificate is not a server certificate',
  ECONNRESET: 'the host closed the connection during the handshake',
  EPIPE: 'the host closed the connection during the handshake',
  ETIMEDOUT: 'the network lost the connection during the handshake',
};

const tlsReasons: Readonly<Record<string, string>> = {
  'wrong version number': 'the port does not speak TLS',
  'packet length too long': 'the port does not speak TLS',
  'http request': 'the port does not speak TLS',
  'unsupported protocol': 'the host does not support TLS 1.2 or later',
  'tlsv1 alert protocol version': 'the host does not support TLS 1.2 or later',
  'tlsv1 unrecognized name': 'the host does not know this name',
  'tlsv13 alert certificate required': 'the host asks for a client certificate',
};

function tlsFault(code: string, error: unknown): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `certificate is for ${namesOf(error)}`;
  const reason = textOf(error, 'reason');
  const known = tlsFaults[code] ?? tlsReasons[reason];
  return known ?? `the handshake failed${reason || code ? ` (${reason || code})` : ''}`;
}

type WithCertificate = { cert?: { subjectaltname?: string; subject?: { CN?: string } } };

/** The endpoint chooses these names: at most 200 visible ASCII characters of them are shown. */
function namesOf(error: unknown): string {
  const { cert } = error as WithCertificate;
  const names = (cert?.subjectaltname ?? cert?.subject?.CN ?? '').replaceAll(/(DNS|IP Address):/g, '');
  return names.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 200) || 'another name';
}

function unknown(code: string): string | null {
  return code === '' ? null : `system error ${code}`;
}

function failureCode(error: unknown): string {
  return textOf(error, 'code');
}

/** A text field of an error, or of the first of its `errors`. */
function textOf(error: unknown, field: 'code' | 'reason'): string {
  if (!(error instanceof Error)) return '';
  const value = (error as Error & { [key: string]: unknown })[field];
  if (typeof value === 'string') return value;
  return error instanceof AggregateError ? textOf(error.errors[0], field) : '';
}
