import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { digestsComponent } from '../../src/images/digests-component.ts';
import { lockedImages, lockedReference } from '../../src/images/locked-images.ts';

const digest = `sha256:${'0a'.repeat(32)}`;

describe('the locked images', () => {
  it('are read with variable, name, tag and digest', () => {
    const text = `# a comment\nFROM moby/buildkit:v1@${digest} AS buildkit\n`;
    const image = { variable: 'BUILDKIT_IMAGE', name: 'moby/buildkit', tag: 'v1', digest };
    expect(lockedImages(text)).toEqual([image]);
  });

  it.each(['FROM mongo:6 AS mongo', `FROM mongo@${digest} AS mongo`, `FROM mongo:6@${digest}`])(
    'are refused without one of them: %s',
    (line) => expect(() => lockedImages(line)).toThrow(line),
  );

  it('are given by variable, and a missing one is named', () => {
    expect(lockedReference('MONGO_IMAGE')).toMatch(/^mongo:6@sha256:[0-9a-f]{64}$/);
    expect(() => lockedReference('REDIS_IMAGE')).toThrow('REDIS_IMAGE');
  });
});

it('a release sets every image of the manifests to its digest', () => {
  const pushed = { name: 'casewatch/cases', place: 'registry.example/casewatch/cases', tag: '1.10', digest };
  const component = parse(digestsComponent([pushed]));
  expect(component.kind).toBe('Component');
  expect(component.images).toEqual([
    { name: 'casewatch/cases', newName: 'registry.example/casewatch/cases', newTag: '1.10', digest },
    { name: 'mongo', newName: 'mongo', newTag: '6', digest: expect.stringMatching(/^sha256:/) },
    { name: 'nats', newName: 'nats', newTag: '2-alpine', digest: expect.stringMatching(/^sha256:/) },
  ]);
});
