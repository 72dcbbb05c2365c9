import { asyncApiDocument, events } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';

const document = asyncApiDocument();

describe('the AsyncAPI document', () => {
  it.each(Object.entries(events))('has %s with its owner and its consumers', (type, { owner, consumers }) => {
    const operations = Object.values(document.operations).filter(
      ({ channel }) => channel.$ref === `#/channels/${type}`,
    );
    const servicesThat = (action: string) =>
      operations
        .filter((operation) => operation.action === action)
        .map((operation) => operation['x-service']);
    expect(document.channels[type]).toMatchObject({
      address: type,
      description: expect.stringMatching(/\.$/),
    });
    expect(servicesThat('send')).toEqual([owner]);
    expect(servicesThat('receive')).toEqual(consumers);
  });

  it('has only references that lead somewhere', () => {
    for (const [, reference = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = reference
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      expect({ reference, isThere: target !== undefined }).toEqual({ reference, isThere: true });
    }
  });
});
