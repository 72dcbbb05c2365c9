import { type OperationName, operations, type RecordedExamples } from '@casewatch/contracts';

/** What was recorded before and what was recorded now, the newer of each, without operations that are gone. */
export function merged(before: RecordedExamples, now: RecordedExamples): RecordedExamples {
  const names = (Object.keys(operations) as OperationName[]).sort();
  const entries = names.flatMap((name) => {
    const recorded = now.operations[name] ?? before.operations[name];
    return recorded ? [[name, recorded] as const] : [];
  });
  const isGeneral = Object.keys(now.general).length > 0;
  return { operations: Object.fromEntries(entries), general: isGeneral ? now.general : before.general };
}
