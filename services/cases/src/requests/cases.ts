import type { CaseQuestion, ReplyInput } from '@casewatch/contracts';
import { createWakeableTimer, type RequestHandler, timeLeftMs } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { updateKey } from '../domain/update-key.ts';
import { presentCaseReply } from '../present/case-reply.ts';
import type { CaseRow, CaseState } from '../store/cases.ts';

type Answers = ReplyInput<'cases.cases'>['answers'];

/** How long questions wait while all of them are early, ms. */
const waitMs = 200;
/** Pause between two looks at what another replica stored, ms. */
const lookMs = 25;
/** Most characters of one reply, by `sizeOf`: NATS accepts messages of 1 MiB. */
const maxCharacters = 256 * 1024;
/** Characters of an answer without its texts; of an entry of the history. */
const answerCharacters = 1_500;
const entryCharacters = 300;

/** Answers questions that are not early. If all are early, waits until this or another replica stores an update. */
export function answerCases(ctx: Context): RequestHandler<'cases.cases'> {
  return async ({ cases: questions }) => {
    const giveUpAt = performance.now() + Math.min(waitMs, timeLeftMs() / 2);
    const timer = createWakeableTimer(new AbortController().signal);
    const woken: { row: CaseRow | null } = { row: null };
    const onUpdates = (ids: ReadonlySet<number>, row: CaseRow | null) => {
      if (!questions.some(({ case_id }) => ids.has(case_id))) return;
      woken.row = row;
      timer.wake();
    };
    ctx.signals.on('updates', onUpdates);
    try {
      let answers = await answersOf(ctx, questions);
      while (answers.length === 0 && performance.now() < giveUpAt) {
        const isWoken = await timer.sleep(lookMs);
        if (isWoken || (await isAnyReady(ctx, questions)))
          answers = await answersOf(ctx, questions, isWoken ? woken.row : null);
      }
      return { answers };
    } finally {
      ctx.signals.off('updates', onUpdates);
    }
  };
}

/** `stored`: a case as it was stored just now. */
async function answersOf(
  ctx: Context,
  questions: readonly CaseQuestion[],
  stored: CaseRow | null = null,
): Promise<Answers> {
  const open = openQuestions(ctx, questions);
  const unread = open.filter(({ case_id }) => case_id !== stored?._id).map(({ case_id }) => case_id);
  const rows = unread.length === 0 ? [] : await ctx.stores.cases.findSome(unread);
  if (stored) rows.push(stored);
  const rowOf = new Map(rows.map((row) => [row._id, row]));
  const answers: Answers = [];
  let characters = 0;
  for (const { question, case_id, at_least } of open) {
    const row = rowOf.get(case_id);
    if (row && isEarly(row, at_least)) continue;
    characters += row ? sizeOf(row) : 0;
    if (answers.length > 0 && characters > maxCharacters) break;
    const view = { language: 'en' as const, now: ctx.clock.now() };
    answers.push({ question, found: row ? presentCaseReply(row, view) : null });
  }
  return answers;
}

/** Characters of the answer, about: to write each answer as JSON only for its length took a sixth of the answer's time. */
function sizeOf({ description, latest_update: latest }: CaseRow): number {
  if (!latest) return answerCharacters + description.length;
  const texts = [latest.status_description, latest.status_description_es, latest.status_description_pt];
  const textCharacters = texts.reduce((sum, text) => sum + (text?.length ?? 0), description.length);
  return answerCharacters + textCharacters + latest.history.length * entryCharacters;
}

/** Without the questions about updates that this process is storing: these are early, and their end wakes them. */
function openQuestions({ storing }: Context, questions: readonly CaseQuestion[]) {
  return questions
    .map((asked, question) => ({ question, ...asked }))
    .filter(({ case_id, at_least }) => !storing.has(updateKey(case_id, at_least.observation)));
}

/** Reads less than `answersOf`. */
async function isAnyReady(ctx: Context, questions: readonly CaseQuestion[]): Promise<boolean> {
  const open = openQuestions(ctx, questions);
  if (open.length === 0) return false;
  const states = await ctx.stores.cases.findStates(open.map(({ case_id }) => case_id));
  const stateOf = new Map(states.map((state) => [state._id, state]));
  return open.some(({ case_id, at_least }) => {
    const state = stateOf.get(case_id);
    return !state || !isEarly(state, at_least);
  });
}

function isEarly(state: CaseState, { version, observation }: CaseQuestion['at_least']): boolean {
  return state.version < version || (state.latest_update?.observation ?? 0) < observation;
}
