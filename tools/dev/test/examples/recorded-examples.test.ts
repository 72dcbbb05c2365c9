import {
  type ErrorCode,
  errorCatalogue,
  type Operation,
  type OperationName,
  operations,
  problem,
  recordedExamples,
} from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { recipes } from '../../src/examples/recipes/all.ts';
import { generalRecipes } from '../../src/examples/recipes/general.ts';

const { operations: recorded, general } = recordedExamples();
const names = Object.keys(operations) as OperationName[];

// Where one of these fails: npm run examples, then npm run openapi.
describe('the recorded examples', () => {
  it('are of every operation, and of no other', () => {
    expect(Object.keys(recorded).sort()).toEqual(names.sort());
    expect(Object.keys(general).sort()).toEqual(Object.keys(generalRecipes).sort());
  });

  it.each(names)('show each answer of %s that succeeds, as its schema says', (name) => {
    const { success, toAnonymous }: Operation = operations[name];
    const expected = [success, ...(toAnonymous ? [toAnonymous] : [])];
    const answers = recorded[name]?.answers ?? [];
    expect(answers.map(({ status }) => status)).toEqual(expected.map(({ status }) => status));
    for (const [index, { body }] of expected.entries()) {
      const shown = answers[index]?.body;
      expect(body === null ? shown : body.safeParse(shown).error).toEqual(body === null ? null : undefined);
    }
  });

  it.each(names)('show each error of %s that is its own', (name) => {
    const errors = Object.entries(recorded[name]?.errors ?? {});
    expect(errors.map(([code]) => code)).toEqual(Object.keys(recipes[name].errors));
    for (const [code, { body }] of errors) expectProblem(code as ErrorCode, body);
  });

  it('show the errors that mean the same everywhere', () => {
    for (const [code, { body }] of Object.entries(general)) expectProblem(code as ErrorCode, body);
  });

  it('hold nothing of the machine that they were recorded on', () => {
    expect(JSON.stringify(recordedExamples())).not.toMatch(/127\.0\.0\.1:|localhost|DEMOdemo/);
  });
});

function expectProblem(code: ErrorCode, body: unknown) {
  const shown = problem.parse(body);
  expect([shown.code, shown.status]).toEqual([code, errorCatalogue[code].status]);
}
