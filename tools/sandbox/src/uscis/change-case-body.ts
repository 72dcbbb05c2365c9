import type { Answer } from './answer.ts';
import { governmentMoment } from './describe-state.ts';
import type { Fault } from './fault.ts';
import { presentCase } from './present-case.ts';
import type { World } from './world.ts';

type CaseStatus = Record<string, unknown>;
type Change = (status: CaseStatus, context: { fault: Fault; turn: number; at: Date }) => CaseStatus;

const SENTENCE = 'Please allow 30 more days for this step.';

/** What a 200 shows instead of the case. Every receipt gets the same change. */
const CHANGES: Partial<Record<Fault['mode'], Change>> = {
  touched: (status, { at }) =>
    status.modifiedDate === undefined ? status : { ...status, modifiedDate: governmentMoment(at) },
  boilerplate: (status, { fault }) => ({
    ...status,
    current_case_status_desc_en: `${status.current_case_status_desc_en} ${fault.message ?? SENTENCE}`,
  }),
  blinking_history: (status, { turn }) => (turn % 2 === 0 ? { ...status, hist_case_status: null } : status),
  placeholder: (status) => ({
    ...status,
    current_case_status_text_en: 'CASE STATUS',
    current_case_status_desc_en: 'At this time USCIS cannot provide you with information for your case.',
  }),
};

/** A 200 as the fault changes it; other answers, and those with broken JSON, stay. */
export function changeCaseBody(answer: Answer, world: World, fault: Fault | null, receipt: string): Answer {
  if (fault === null || answer.status !== 200) return answer;
  if (fault.mode === 'other_receipt') return { ...answer, body: bodyOfAnother(world, receipt) };
  const change = CHANGES[fault.mode];
  const parsed = change ? parse(answer.body) : null;
  if (!change || !parsed) return answer;
  const turn = world.refusals;
  world.refusals += 1;
  const case_status = change(parsed.case_status, { fault, turn, at: new Date() });
  return { ...answer, body: JSON.stringify({ ...parsed, case_status }) };
}

/** The case of another receipt, as an error of a cache or proxy would serve it. */
function bodyOfAnother({ cases }: World, receipt: string): string {
  for (const [other, served] of cases) if (other !== receipt) return presentCase(other, served);
  throw new Error('There is no other receipt.');
}

function parse(body: string): { case_status: CaseStatus } | null {
  try {
    return JSON.parse(body) as { case_status: CaseStatus };
  } catch {
    return null; // A case with broken links.
  }
}
