import type { JsonSchema, OpenApiDocument, OperationObject } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { breakingChanges } from '../../src/openapi/breaking-changes.ts';
import { currentDocument } from '../../src/openapi/committed-document.ts';

const current = currentDocument();
const cases = '/v1/client/users/{user_id}/cases';

describe('breakingChanges', () => {
  it('finds nothing where nothing changed', () => {
    expect(breakingChanges(current, currentDocument())).toEqual([]);
  });

  it('lets operations, optional fields, answer fields and values be added', () => {
    const changes = changesAfter((document) => {
      document.paths['/v1/new'] = { get: post(document, cases) };
      bodyOf(document).properties = { ...bodyOf(document).properties, priority: { type: 'string' } };
      answerOf(document).properties = { ...answerOf(document).properties, position: { type: 'integer' } };
      document.components.schemas.NotifyStatus = {
        type: 'string',
        enum: [...valuesOf(document, 'NotifyStatus'), 'held'],
      };
    });
    expect(changes).toEqual([]);
  });

  it.each<[string, (document: OpenApiDocument) => void, string[]]>([
    ['a path that is gone', (document) => delete document.paths[cases], [`POST ${cases}: removed`]],
    [
      'a method that is gone',
      (document) => delete document.paths['/v1/webhooks']?.get,
      ['GET /v1/webhooks: removed'],
    ],
    [
      'a status that is gone',
      (document) => delete post(document, cases).responses['409'],
      [`POST ${cases}: status 409 removed`],
    ],
    [
      'a field that must be sent now',
      (document) => bodyOf(document).required?.push('description'),
      [`POST ${cases}: body.description is now required`],
    ],
    [
      'a field that may not be sent any more',
      (document) => delete bodyOf(document).properties?.description,
      [`POST ${cases}: body.description removed`],
    ],
    [
      'a field that is not answered any more',
      (document) => delete answerOf(document).properties?.update_count,
      [`POST ${cases}: answer 201.update_count removed`],
    ],
    [
      'a field that may be missing from an answer now',
      (document) => answerOf(document).required?.splice(-1),
      [`POST ${cases}: answer 201.update_count may now be absent`],
    ],
    [
      'a value that is gone, wherever it is referred to',
      (document) => {
        document.components.schemas.Language = { type: 'string', enum: ['en', 'es'] };
      },
      ['POST /v1/auth/login-code: body.preferred_language has no value "pt" any more'],
    ],
    [
      'an answer that is null now',
      (document) => {
        field(answerOf(document), 'update_count').type = ['integer', 'null'];
      },
      [`POST ${cases}: answer 201.update_count may now be null`],
    ],
    [
      'a field of another type',
      (document) => {
        field(bodyOf(document), 'description').type = 'integer';
      },
      [`POST ${cases}: body.description may no longer be string`],
    ],
    [
      'a tighter bound',
      (document) => {
        field(bodyOf(document), 'description').maxLength = 100;
      },
      [`POST ${cases}: body.description has a tighter maxLength, 100`],
    ],
    [
      'a query parameter that is gone',
      (document) => {
        const list = document.paths['/v1/webhooks']?.get;
        if (list)
          list.parameters = list.parameters.filter((one) => !('name' in one && one.name === 'active'));
      },
      ['GET /v1/webhooks: query active removed'],
    ],
    [
      'callers that are let in no more, and another scope',
      (document) => {
        post(document, cases).security = [{ bearer: [] }];
        post(document, cases)['x-required-scope'] = 'check';
      },
      [
        `POST ${cases}: no longer takes partner_key with partner_secret`,
        `POST ${cases}: needs the scope check`,
      ],
    ],
  ])('finds %s', (_what, change, expected) => {
    expect(changesAfter(change)).toEqual(expect.arrayContaining(expected));
  });
});

function changesAfter(change: (document: OpenApiDocument) => void): string[] {
  const after = structuredClone(current);
  change(after);
  return breakingChanges(current, after);
}

function post(document: OpenApiDocument, path: string): OperationObject {
  const operation = document.paths[path]?.post;
  if (!operation) throw new Error(`no POST ${path}`);
  return operation;
}

function bodyOf({ components }: OpenApiDocument): JsonSchema {
  return components.schemas.CreatePartnerCaseRequest ?? {};
}

function answerOf({ components }: OpenApiDocument): JsonSchema {
  return components.schemas.CreatePartnerCaseResult ?? {};
}

function field(schema: JsonSchema, name: string): JsonSchema {
  const property = schema.properties?.[name];
  if (typeof property !== 'object') throw new Error(`no field ${name}`);
  return property;
}

function valuesOf(document: OpenApiDocument, name: string) {
  return document.components.schemas[name]?.enum ?? [];
}
