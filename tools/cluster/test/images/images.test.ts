import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { allImages, destinationFrom, pickImages, referenceOf } from '../../src/images/images.ts';

const root = join(import.meta.dirname, '../../../..');

/** As Docker reads .dockerignore: of the patterns that match the path or a folder of it, the last one decides. */
function isSentToBuilder(path: string): boolean {
  const parts = path.split('/');
  const paths = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  const deciding = patterns
    .filter((line) => line !== '' && !line.startsWith('#'))
    .findLast((line) => paths.some((each) => matchesGlob(each, line.replace(/^!/, ''))));
  return deciding === undefined || deciding.startsWith('!');
}

describe('the images', () => {
  it("have the partners' guide where the gateway reads it, and no other document", () => {
    const guide = readdirSync(join(root, 'docs/partners')).map((file) => `docs/partners/${file}`);
    expect(guide.length).toBeGreaterThan(10);
    expect(guide.filter((path) => !isSentToBuilder(path))).toEqual([]);
    for (const path of ['README.md', 'docs/security.md', 'services/gateway/README.md', '.env', 'tests/a.ts'])
      expect([path, isSentToBuilder(path)]).toEqual([path, false]);
    expect(isSentToBuilder('services/gateway/src/main.ts')).toBe(true);
    // The gateway reads /app/docs/partners: four folders above /app/services/gateway/src/docs.
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
    expect(dockerfile).toContain(
      'in gateway|all) mkdir -p /out/docs && cp -R /src/docs/partners /out/docs/;; esac',
    );
    expect(dockerfile).toContain('COPY --from=source /out ./');
  });

  it('are the six services, all of them in one process, the stand-ins, and what seeds a demo', () => {
    const names = allImages().map(({ name }) => name);
    expect(names.toSorted()).toEqual([
      'all',
      'cases',
      'gateway',
      'identity',
      'monitor',
      'notifier',
      'sandbox',
      'seed',
      'webhooks',
    ]);
  });

  it('are all built if none is named, otherwise the named ones', () => {
    expect(pickImages([])).toEqual(allImages());
    expect(pickImages(['cases'])).toEqual([{ name: 'cases', workspace: 'cases' }]);
  });

  it('are named in the complaint about one that does not exist', () => {
    expect(() => pickImages(['cases', 'billing'])).toThrow(/called billing; there are .*identity/);
  });

  it('are called casewatch/<name>:dev on this machine', () => {
    const [image] = pickImages(['cases']);
    expect(image && referenceOf(image, destinationFrom({}))).toBe('casewatch/cases:dev');
  });

  it('take the registry and the version from the environment', () => {
    const [image] = pickImages(['cases']);
    const destination = destinationFrom({ IMAGE_REGISTRY: 'registry.example/team/', IMAGE_TAG: '1.4.0' });
    expect(image && referenceOf(image, destination)).toBe('registry.example/team/casewatch/cases:1.4.0');
  });

  it("have the labels of OCI's image specification, with version and commit", () => {
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
    const labels = [...dockerfile.matchAll(/org\.opencontainers\.image\.([\w.]+)="([^"]+)"/g)];
    expect(Object.fromEntries(labels.map(([, name, value]) => [name, value]))).toEqual({
      title: 'casewatch/$SERVICE',
      description: expect.any(String),
      vendor: 'Casewatch',
      version: '$VERSION',
      revision: '$REVISION',
      'base.name': '$NODE_IMAGE',
      licenses: 'Apache-2.0',
    });
  });
});
