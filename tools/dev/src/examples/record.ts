import {
  type ErrorCode,
  type Operation,
  type OperationName,
  operations,
  type RecordedExamples,
  type RecordedExchange,
} from '@casewatch/contracts';
import { type Bench, createBench, type Recording } from './bench.ts';
import type { Make } from './exchange.ts';
import { recipes } from './recipes/all.ts';
import { generalRecipes } from './recipes/general.ts';

type Recipe = { success: Make; toAnonymous?: Make; errors: Partial<Record<ErrorCode, Make>> };
type Errors = Partial<Record<ErrorCode, RecordedExchange>>;

export type Wanted = {
  /** Names of the operations to record (`general`: what all have in common); all if it is left out. */
  only?: readonly string[] | undefined;
  /** Is given one operation after the other, so that nothing is lost where a later one fails. */
  keep: (part: RecordedExamples) => void;
};

/**
 * Asks a running system whatever the recipes say, and gives what it answered, each checked against its schema and with
 * stand-ins for what differs from run to run. The system must be new: recipes count on what is there.
 * @throws Problem where something else is answered than the recipe says
 */
export async function record(recording: Recording, { only, keep }: Wanted): Promise<void> {
  const isWanted = (name: string) => only === undefined || only.includes(name);
  for (const name of (Object.keys(operations) as OperationName[]).sort().filter(isWanted))
    keep({ operations: { [name]: await recordOperation(createBench(recording, name), name) }, general: {} });
  if (isWanted('general'))
    keep({ operations: {}, general: await recordGeneral(createBench(recording, 'general')) });
}

async function recordOperation(bench: Bench, name: OperationName) {
  const { method, success, toAnonymous }: Operation = operations[name];
  const recipe: Recipe = recipes[name];
  const answers = [await bench.succeeds(method, recipe.success, expectedOf(success))];
  if (toAnonymous && recipe.toAnonymous)
    answers.push(await bench.succeeds(method, recipe.toAnonymous, expectedOf(toAnonymous)));
  const errors: Errors = {};
  for (const [code, make] of Object.entries(recipe.errors) as [ErrorCode, Make][])
    errors[code] = await bench.fails(method, make, code);
  return { answers, errors };
}

function expectedOf({ status, body }: Operation['success']) {
  return { status, faultOf: (shown: unknown) => body?.safeParse(shown).error?.message };
}

async function recordGeneral(bench: Bench): Promise<Errors> {
  const errors: Errors = {};
  for (const [code, { method, make }] of Object.entries(generalRecipes))
    errors[code as ErrorCode] = await bench.fails(method, make, code as ErrorCode);
  return errors;
}
