import { X509Certificate } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Environment, readConfig } from '../settings/config.ts';
import { serverTls, serverTlsSettings } from '../settings/tls-settings.ts';
import type { Logger } from '../telemetry/logger.ts';
import { showCertificate } from './server.ts';

const settings = z.object(serverTlsSettings);

/**
 * Looks at the certificate's files again and again, and shows a new one without a restart. By content, as Kubernetes puts a
 * link in place of the files. One that cannot be used, as when only one of two files is written yet, is left for the next
 * look. @returns what ends it
 */
export function followCertificate(env: Environment, log: Logger, everyMs = 60_000): () => void {
  let shown = serverTls(readConfig(settings, env));
  if (shown === undefined) return () => undefined;
  // It may have changed since the service was started with it.
  showCertificate(shown);
  const timer = setInterval(() => {
    try {
      const next = serverTls(readConfig(settings, env));
      if (next === undefined || isDeepStrictEqual(next, shown)) return;
      showCertificate(next);
      shown = next;
      log.info({ valid_to: new X509Certificate(next.cert).validTo }, 'certificate replaced');
    } catch (error) {
      log.error({ err: error }, 'new certificate not usable; keeping the old one');
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
