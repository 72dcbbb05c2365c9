import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { allImages, destinationFrom, pickImages, referenceOf } from '../../src/images/images.ts';

describe('the images', () => {
  it('are the six services, the stand-ins, and what seeds a demo', () => {
    const names = allImages().map(({ name }) => name);
    expect(names.toSorted()).toEqual([
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
    const dockerfile = readFileSync(join(import.meta.dirname, '../../../../Dockerfile'), 'utf8');
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
