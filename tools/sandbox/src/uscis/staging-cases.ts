import { FORMS } from './data/forms.ts';
import { BROKEN, WITH_HISTORY, WITHOUT_HISTORY } from './data/staging.ts';
import { BESIDE, type State, TIMELINE } from './data/states.ts';
import { describeState, governmentMoment, isoDay } from './describe-state.ts';
import type { ServedCase } from './served-case.ts';

const DAY_MS = 86_400_000;
const FIRST_FILED = Date.UTC(2023, 8, 5, 14, 28, 12);

/** The fifty staging receipts, spread over forms, filing days and states; always the same. */
export function stagingCases(): Map<string, ServedCase> {
  const cases = new Map<string, ServedCase>();
  WITH_HISTORY.forEach((receipt, index) => {
    // Two to nine former steps, so that each has a history.
    cases.set(receipt, stagingCase(receipt, index, TIMELINE.slice(0, 3 + (index % 8))));
  });
  WITHOUT_HISTORY.forEach((receipt, index) => {
    const states = [...TIMELINE.slice(0, 3), ...BESIDE];
    cases.set(receipt, stagingCase(receipt, index, states.slice(index % 6, (index % 6) + 1)));
  });
  return cases;
}

/** The last of the steps is the present state; the others become history, forty days apart. */
function stagingCase(receipt: string, index: number, steps: readonly State[]): ServedCase {
  const formType = FORMS[index % FORMS.length]?.type ?? FORMS[0].type;
  const filed = FIRST_FILED + index * 11 * DAY_MS;
  const stepAt = (step: number) => new Date(filed + step * 40 * DAY_MS);
  const last = steps.length - 1;
  const state = steps[last];
  if (state === undefined) throw new Error('A staging receipt needs a state.');
  const history = steps.slice(0, last).map(({ en, es }, step) => ({
    date: isoDay(stepAt(step)),
    text_en: en,
    text_es: es,
  }));
  return {
    form_type: formType,
    submitted_date: governmentMoment(stepAt(0)),
    modified_date: governmentMoment(stepAt(last)),
    ...describeState(state, { receipt, formType, at: stepAt(last) }),
    history: history.length > 0 ? history : null,
    ...(BROKEN.has(receipt) ? { broken: true } : {}),
  };
}
