import { openApiDocument, operations, routesInOrder } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';

const document = openApiDocument({ publicUrl: 'https://casewatch.example' });
const described = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

describe('the OpenAPI document', () => {
  it('has every row of the operation table, and nothing else', () => {
    const inDocument = described.map(({ path, method, operation }) => [operation.operationId, method, path]);
    const inTable = Object.entries(operations).map(([name, row]) => [name, row.method, row.path]);
    expect(inDocument.sort()).toEqual(inTable.sort());
  });

  it('has only references that lead somewhere', () => {
    for (const reference of referencesIn(document)) {
      const target = reference
        .split('/')
        .slice(1)
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      expect({ reference, isThere: target !== undefined }).toEqual({ reference, isThere: true });
    }
  });

  it('has no component that nothing refers to', () => {
    const references = new Set(referencesIn(document));
    const { securitySchemes, parameters, ...referred } = document.components;
    const unused = Object.entries({ ...referred, parameters })
      .flatMap(([kind, members]) => Object.keys(members).map((name) => `#/components/${kind}/${name}`))
      .filter((reference) => !references.has(reference));
    // A shared header parameter stays while no operation takes it.
    expect(unused.filter((reference) => !reference.startsWith('#/components/parameters/'))).toEqual([]);
    expect(Object.keys(securitySchemes).sort()).toEqual(
      [...new Set(described.flatMap(({ operation }) => operation.security.flatMap(Object.keys)))].sort(),
    );
  });

  it('names each JSON body, and has no boolean schema, so that code generators can read it', () => {
    const contents = described.flatMap(({ operation: { requestBody, responses } }) =>
      [requestBody, ...Object.values(responses)].flatMap((part) =>
        part && 'content' in part ? Object.entries(part.content ?? {}) : [],
      ),
    );
    const unnamed = contents.filter(
      ([type, { schema }]) => !['text/html', 'text/csv'].includes(type) && schema.$ref === undefined,
    );
    expect(unnamed).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/"properties":\{[^{}]*:(true|false)/);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        'CreateCaseRequest',
        'CreateCaseResult',
        'LoginCodeGrant',
        'RefreshTokenGrant',
      ]),
    );
  });

  it('says each path parameter once, as required', () => {
    for (const { path, operation } of described) {
      const names = operation.parameters.flatMap((parameter) =>
        'in' in parameter && parameter.in === 'path' && parameter.required ? [parameter.name] : [],
      );
      expect({ path, names }).toEqual({
        path,
        names: [...path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1]),
      });
    }
  });

  it('asks for both partner headers together, or for a bearer token', () => {
    expect(operationOf('create_partner_case').security).toEqual([{ partner_key: [], partner_secret: [] }]);
    expect(operationOf('update_case').security).toEqual([
      { partner_key: [], partner_secret: [] },
      { bearer: [] },
    ]);
    expect(operationOf('request_login_code').security).toEqual([]);
  });

  it("names an operation's own error codes and those that hold everywhere", () => {
    const { responses } = operationOf('create_partner_case');
    expect(Object.keys(responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '405',
      '406',
      '408',
      '409',
      '413',
      '415',
      '429',
      '431',
      '500',
      '503',
    ]);
    expect(JSON.stringify(responses['409'])).toContain('"code":"case_already_monitored"');
    expect(responses['500']).toEqual({ $ref: '#/components/responses/InternalServerError' });
  });

  it('says what may be sent rather than how it is parsed', () => {
    const parameters = Object.fromEntries(
      operationOf('list_partner_cases').parameters.flatMap((parameter) =>
        'schema' in parameter ? [[parameter.name, parameter.schema]] : [],
      ),
    );
    expect(parameters.limit).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 50,
      format: 'int64',
    });
    expect([parameters.active?.type, parameters.user_id?.type]).toEqual(['boolean', 'integer']);
  });

  it.each(routesInOrder().map((row) => [row.name, row] as const))(
    'shows examples of %s that fit its schemas',
    (name, row) => {
      const operation = operationOf(name);
      const sent = Object.values(operation.requestBody?.content ?? {})[0]?.example;
      // A file is no object of the schema.
      if (typeof sent !== 'string') expect(row.body?.safeParse(sent).error?.issues ?? []).toEqual([]);
      const response = operation.responses[row.success.status];
      const content = response && 'content' in response ? response.content : undefined;
      const answered = content?.[row.file?.type ?? 'application/json']?.example;
      expect(row.success.body?.safeParse(answered).error?.issues ?? []).toEqual([]);
    },
  );
});

function operationOf(name: string) {
  const found = described.find(({ operation }) => operation.operationId === name);
  if (!found) throw new Error(`${name} is not in the document`);
  return found.operation;
}

/** Every `$ref` anywhere in a value. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
}
