import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../../src/index.ts';
import { referredFirst } from '../../src/openapi/schema-of.ts';

/** References from a schema to one that stands after it. */
function forwardReferences(schemas: object): string[] {
  const names = Object.keys(schemas);
  return Object.entries(schemas).flatMap(([name, schema]) =>
    [...JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)]
      .filter(([, referred = '']) => names.indexOf(referred) >= names.indexOf(name))
      .map(([, referred]) => `${name} → ${referred}`),
  );
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('the schemas of the OpenAPI document', () => {
  const { schemas } = openApiDocument({ publicUrl: 'https://api.example' }).components;

  it('stand after the schemas that they refer to: a generated client has each constant before its use', () => {
    expect(forwardReferences(schemas)).toEqual([]);
    const names = Object.keys(schemas);
    expect(names.indexOf('WebhookEventType')).toBeLessThan(names.indexOf('WebhookEventFilter'));
  });

  it.each([
    ['a chain', { A: { items: ref('B') }, B: { allOf: [ref('C')] }, C: { enum: ['x'] } }, ['C', 'B', 'A']],
    ['several at one', { A: ref('C'), B: ref('C'), C: { type: 'string' } }, ['C', 'A', 'B']],
    ['none', { B: { type: 'string' }, A: { type: 'string' } }, ['B', 'A']],
    ['itself', { A: { items: ref('A') }, B: { type: 'string' } }, ['A', 'B']],
  ])('are ordered with %s', (_what, given, order) => {
    const ordered = referredFirst(given as Parameters<typeof referredFirst>[0]);
    expect(Object.keys(ordered)).toEqual(order);
    expect(ordered).toEqual(given);
  });
});
