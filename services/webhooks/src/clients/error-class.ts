import { failureCode, failureName } from './failure-code.ts';
import { BlockedAddressError, NameError } from './public-addresses.ts';

const byCode: Record<string, string> = {
  ECONNREFUSED: 'connect_refused',
  EHOSTUNREACH: 'connect_refused',
  ENETUNREACH: 'connect_refused',
  EADDRNOTAVAIL: 'connect_refused',
  ENETDOWN: 'connect_refused',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ETIMEDOUT: 'connect_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_ABORTED: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'response_malformed',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'response_malformed',
  EPROTO: 'tls_error',
};

// Errors of certificates and handshakes in Node and OpenSSL.
const tlsCode = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/** Error names of webhooks.md, Delivery, except those of a status. */
export function errorClass(error: unknown): string {
  if (error instanceof BlockedAddressError) return 'blocked_address';
  if (error instanceof NameError) return 'dns_error';
  const name = failureName(error);
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  const code = failureCode(error);
  if (byCode[code]) return byCode[code];
  if (tlsCode.test(code)) return 'tls_error';
  return name === 'HTTPParserError' || code.startsWith('HPE_') ? 'response_malformed' : 'reset';
}
