import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { z } from 'zod';
import { isLoopback, isMesh, isOnLoopback, meshHint, pem } from './connection-settings.ts';
import { addRules, asSecret, inProduction, notDemo, type SettingTexts } from './setting-rules.ts';

export type ServerTls = { readonly cert: string; readonly key: string };

export const serverTlsSettings = {
  TLS_CERT: addRules(pem.optional(), {
    check(text, { TLS_KEY }) {
      if (certificateOf(text) === undefined) return 'is not a certificate';
      return TLS_KEY === undefined ? 'is set without TLS_KEY' : undefined;
    },
    checkInProduction: notDemoCertificate,
    checkMissingInProduction: requiredWithoutMesh,
  }).describe(
    'TLS certificate of the HTTP server (PEM, with intermediate certificates); with it the server accepts only TLS 1.3. A file is read again every minute',
  ),
  TLS_KEY: addRules(
    asSecret(pem, () => undefined),
    {
      check(text, { TLS_CERT }) {
        if (TLS_CERT === undefined) return 'is set without TLS_CERT';
        const certificate = certificateOf(TLS_CERT);
        return certificate && !isKeyOf(certificate, text) ? 'does not belong to TLS_CERT' : undefined;
      },
      checkMissingInProduction: requiredWithoutMesh,
    },
  )
    .optional()
    .describe('Private key of TLS_CERT (PEM)'),
};

export const servicesTlsSettings = {
  SERVICES_TLS_CA: inProduction(pem.optional(), notDemoCertificate).describe(
    'Certificate authority of the services with https:// addresses (PEM). While you replace it, give both authorities, one after the other. Default: the authorities of the system',
  ),
};

/** An address of a service: https in production, unless a service mesh encrypts, or nothing leaves the machine. */
export function httpsUnlessMesh<S extends z.ZodType>(schema: S): S {
  return inProduction(schema, (text, all) =>
    isMesh(all) || text.startsWith('https://') || isOnLoopback(text)
      ? undefined
      : `must begin with https:// ${meshHint}`,
  );
}

export function serverTls(
  settings: Partial<Record<'TLS_CERT' | 'TLS_KEY', string | undefined>>,
): ServerTls | undefined {
  const { TLS_CERT: cert, TLS_KEY: key } = settings;
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

function requiredWithoutMesh(all: SettingTexts): string | undefined {
  return isMesh(all) || isLoopback(all.HOST ?? '')
    ? undefined
    : `is not set, and the gateway must be answered over TLS ${meshHint}`;
}

function notDemoCertificate(text: string): string | undefined {
  const certificate = certificateOf(text);
  return certificate && notDemo(`${certificate.issuer}\n${certificate.subject}`);
}

function certificateOf(text: string): X509Certificate | undefined {
  try {
    return new X509Certificate(text);
  } catch {
    return undefined;
  }
}

function isKeyOf(certificate: X509Certificate, key: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false; // not a key
  }
}
