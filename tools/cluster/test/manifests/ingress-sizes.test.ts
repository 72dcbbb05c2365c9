import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Operation, operations } from '@casewatch/contracts';
import { maxBodyBytes } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

type Ingress = {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: { rules: { http: { paths: { path: string; pathType: string }[] } }[] };
};

const folder = fileURLToPath(new URL('../../../../deploy/k8s/components/ingress/', import.meta.url));
const files = (parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as { resources: string[] })
  .resources;
const ingresses = files
  .map((file) => parse(readFileSync(join(folder, file), 'utf8')) as Ingress)
  .filter(({ kind }) => kind === 'Ingress');

const units = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** A size as nginx reads it: `1m`. */
function bytesOf(size: string): number {
  const [, digits = '', unit = ''] = /^(\d+)([kmg]?)$/i.exec(size) ?? [];
  return Number(digits) * units[unit.toLowerCase() as keyof typeof units];
}

const pathsOf = ({ spec }: Ingress) => spec.rules.flatMap(({ http }) => http.paths.map(({ path }) => path));
const covers = (prefix: string, path: string) =>
  prefix === '/' || path === prefix || path.startsWith(`${prefix}/`);

/** The ingress that nginx takes for a path: the one with the longest prefix. */
function ingressOf(path: string): Ingress {
  const candidates = ingresses.flatMap((ingress) =>
    pathsOf(ingress)
      .filter((prefix) => covers(prefix, path))
      .map((prefix) => ({ ingress, prefix })),
  );
  const [best] = candidates.sort((a, b) => b.prefix.length - a.prefix.length);
  if (best === undefined) throw new Error(`no ingress for ${path}`);
  return best.ingress;
}

const limitOf = (path: string) =>
  bytesOf(ingressOf(path).metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-body-size'] ?? '1m');

const rows = Object.values<Operation>(operations);
const largest = Math.max(...rows.map(({ signedBody }) => signedBody?.maxBytes ?? 0));

describe('the ingress', () => {
  it.each(rows.map((row) => [`${row.method} ${row.path}`, row] as const))(
    'lets through the largest body of %s, and not much more',
    (_what, { path, signedBody }) => {
      const most = signedBody?.maxBytes ?? maxBodyBytes;
      expect(limitOf(path)).toBeGreaterThanOrEqual(most);
      expect(limitOf(path)).toBeLessThanOrEqual(2 * most);
    },
  );

  it('takes large bodies for signed callbacks alone', () => {
    expect(limitOf('/v1/callbacks/email/sendgrid')).toBe(largest);
    for (const path of ['/', '/sign-in', '/v1/callbacks/twilio', '/v1/callbacks', '/v1/callbacks/emails'])
      expect([path, limitOf(path)]).toEqual([path, 32 * 1024]);
  });

  it('has every file of its folder, with the same annotations but the size', () => {
    const others = ['kustomization.yaml', 'only-the-ingress.yaml'];
    expect([...files].sort()).toEqual(
      readdirSync(folder)
        .filter((file) => !others.includes(file))
        .sort(),
    );
    const [first, ...rest] = ingresses.map(({ metadata }) => ({
      ...metadata.annotations,
      'nginx.ingress.kubernetes.io/proxy-body-size': '',
    }));
    for (const annotations of rest) expect(annotations).toEqual(first);
  });
});
