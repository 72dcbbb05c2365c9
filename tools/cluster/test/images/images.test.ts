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

  it('are all built where none is named, else the named ones', () => {
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
});
