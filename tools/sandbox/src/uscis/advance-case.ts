import { DEFAULT_FORM } from './data/forms.ts';
import { REVIEW_STEP, type State, TIMELINE } from './data/states.ts';
import { describeState, governmentMoment, isoDay } from './describe-state.ts';
import { isOnlineFiling } from './receipt.ts';
import type { ServedCase } from './served-case.ts';

/** The next state of TIMELINE; other states go on with the review, unknown receipts begin as received. History grows. */
export function advanceCase(receipt: string, current: ServedCase | undefined, at: Date): ServedCase {
  const formType = current?.form_type ?? DEFAULT_FORM;
  const dates = isOnlineFiling(receipt)
    ? {}
    : {
        submitted_date: current?.submitted_date ?? governmentMoment(at),
        modified_date: governmentMoment(at),
      };
  return {
    form_type: formType,
    ...dates,
    ...describeState(nextState(current), { receipt, formType, at }),
    history: current === undefined ? null : grownHistory(current, at),
  };
}

function nextState(current: ServedCase | undefined): State {
  const position = TIMELINE.findIndex(({ en }) => en === current?.text_en);
  const hasNext = position >= 0 && position + 1 < TIMELINE.length;
  const next = TIMELINE[hasNext ? position + 1 : current === undefined ? 0 : REVIEW_STEP];
  if (next === undefined) throw new Error('The timeline has no such step.');
  return next;
}

function grownHistory(current: ServedCase, at: Date): ServedCase['history'] {
  const past = current.history ?? [];
  const { text_en, text_es } = current;
  if (text_en === undefined || text_en === null) return past;
  return [...past, { date: isoDay(at), text_en, ...(text_es ? { text_es } : {}) }];
}
