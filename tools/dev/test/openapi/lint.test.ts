import { asyncApiDocument } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { currentDocument } from '../../src/openapi/committed-document.ts';
import { lint, lintEvents } from '../../src/openapi/lint/lint.ts';

// The committed document is checked by npm run verify.
describe('the lint of an OpenAPI document', () => {
  it('gives the findings, and the exceptions that no finding needs', async () => {
    const needless = { rule: 'no-such-rule', why: 'it was needed once' };
    const numericIds = { rule: 'owasp:api1:2023-no-numeric-ids', why: 'the specification fixes them' };
    const faults = await lint(faultyDocument(), [needless, numericIds]);
    expect(faults).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^operation-success-response: .* paths › \/v1\/webhooks\/\{webhook_id\} › get/),
        expect.stringMatching(/^owasp:api4:2023-integer-\S+ .* › parameters › 0 ›/),
        'no-such-rule: no finding needs this exception (it was needed once)',
      ]),
    );
    expect(faults.join('\n')).not.toContain('no-numeric-ids');
  });
});

describe('the lint of an AsyncAPI document', () => {
  it('gives the findings', async () => {
    const document = asyncApiDocument();
    expect(await lintEvents({ ...document, servers: {} })).toEqual([
      expect.stringMatching(/^asyncapi-servers: /),
    ]);
  });
});

/** One read and nothing else: it has no answer, and its id has no limit. */
function faultyDocument() {
  const document = currentDocument();
  const path = '/v1/webhooks/{webhook_id}';
  const get = document.paths[path]?.get;
  if (!get) throw new Error('the document has no single webhook');
  get.responses = {};
  get.parameters = [{ name: 'webhook_id', in: 'path', required: true, schema: { type: 'integer' } }];
  return { ...document, paths: { [path]: { get } }, components: { ...document.components, schemas: {} } };
}
