import { failureCode } from './failure-code.ts';

const byCode: Record<string, string> = {
  CERT_HAS_EXPIRED: 'certificate has expired',
  CERT_NOT_YET_VALID: 'certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate chain ends with a self-signed certificate',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate chain is incomplete, or its issuer is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate chain is incomplete, or its issuer is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate chain is incomplete, or its issuer is not known',
};

/** What is wrong with the certificate or the handshake; null for another error. */
export function tlsCause(error: unknown): string | null {
  const code = failureCode(error);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `certificate is for ${namesOf(error)}`;
  return byCode[code] ?? null;
}

type WithCertificate = { cert?: { subjectaltname?: string; subject?: { CN?: string } } };

/** The endpoint chooses these names: at most 200 visible ASCII characters of them are shown. */
function namesOf(error: unknown): string {
  const { cert } = error as WithCertificate;
  const names = (cert?.subjectaltname ?? cert?.subject?.CN ?? '').replaceAll(/(DNS|IP Address):/g, '');
  return names.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 200) || 'another name';
}
