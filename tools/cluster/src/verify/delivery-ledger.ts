/**
 * What should have arrived of the changes of one case, and what did: in the system, at the endpoint and in the mail box. It judges
 * changes, not rows and letters, because both may rightly differ in number:
 * - A state that comes back within a day is stored when it is seen and told when it is confirmed. Earlier releases have two rows of it.
 * - A mail takes along an older update of its case that waits for another attempt: one letter tells both.
 */

/** A row of `status_updates` of GET /v1/client/cases/{id}, as far as the audit reads it. */
export type LedgerUpdate = {
  id: number;
  kind: string;
  status_code: string;
  /** When the monitor saw it: `YYYY-MM-DD HH:MM:SS` in UTC. */
  timestamp: string;
  email_notify_status: string;
  email_notify_attempts: number;
};

/** A call of the endpoint about the case. */
export type LedgerCall = { webhookId: string; updateId: number };

/** One update in a letter that arrived; a letter about several updates has several. `receivedAt`: ISO time. */
export type LedgerLetter = { title: string; receivedAt: string };

export type CaseLedger = {
  caseId: number;
  /** The titles that the government showed, in order; the first is that of the new case, of which nobody is told. */
  titles: readonly string[];
  /** In any order. */
  updates: readonly LedgerUpdate[];
  calls: readonly LedgerCall[];
  letters: readonly LedgerLetter[];
};

/** The rows of one change: one, or the two of a confirmed return in an earlier release. */
type Change = { title: string; rows: readonly LedgerUpdate[] };

/** `place`: where something is lost, doubled or in another order; `case`: it could not be read. */
export type Fault = { place: 'case' | 'updates' | 'webhooks' | 'mails'; text: string };

/** What is lost, doubled or in another order; empty if each change arrived in every place. */
export function faultsIn({ caseId, titles, updates, calls, letters }: CaseLedger): Fault[] {
  const changes = changesOf(updates);
  const at = (place: Fault['place'], faults: readonly string[]) =>
    faults.map((fault) => ({ place, text: `case ${caseId}: ${fault}` }));
  return [
    ...at('updates', sequenceFaults(titles, changes)),
    ...at('webhooks', callFaults(changes, calls)),
    ...at('mails', letterFaults(changes, letters)),
  ];
}

/** Oldest first. A `flap` that nobody was told of, and a told one of the same state right after it, are one change. */
function changesOf(updates: readonly LedgerUpdate[]): Change[] {
  const changes: Change[] = [];
  for (const row of updates.toSorted((a, b) => a.id - b.id)) {
    const last = changes.at(-1);
    const seen = last?.rows.length === 1 ? last.rows[0] : undefined;
    const isConfirmation =
      seen?.kind === 'flap' &&
      seen.email_notify_status === 'skipped' &&
      row.kind === 'flap' &&
      row.email_notify_status !== 'skipped' &&
      row.status_code === seen.status_code;
    if (last && seen && isConfirmation) changes.splice(-1, 1, { title: last.title, rows: [seen, row] });
    else changes.push({ title: row.status_code, rows: [row] });
  }
  return changes;
}

function sequenceFaults(titles: readonly string[], changes: readonly Change[]): string[] {
  const stored = changes.map(({ title }) => title);
  const lost = without(titles, stored).map((title) => `no update "${title}"`);
  const surplus = without(stored, titles).map((title) => `a surplus update "${title}"`);
  const faults = [...lost, ...surplus];
  if (faults.length > 0 || titles.every((title, i) => title === stored[i])) return faults;
  return [`updates in another order: ${stored.join(', ')}`];
}

/** The titles that are left when each of `others` takes away one. */
function without(titles: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return titles.filter((title) => {
    const at = left.indexOf(title);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** An endpoint may get a call again under the same id, but never another call about the same change. */
function callFaults(changes: readonly Change[], calls: readonly LedgerCall[]): string[] {
  const faults = changes.flatMap(({ title, rows }, i) => {
    const expected = i === 0 ? 0 : 1;
    const ids = new Set(rows.map(({ id }) => id));
    const arrived = new Set(calls.filter(({ updateId }) => ids.has(updateId)).map((call) => call.webhookId));
    return arrived.size === expected
      ? []
      : [`${arrived.size} webhooks about "${title}" instead of ${expected}`];
  });
  const known = new Set(changes.flatMap(({ rows }) => rows.map(({ id }) => id)));
  const others = calls.filter(({ updateId }) => !known.has(updateId));
  return [...faults, ...others.map(({ updateId }) => `a webhook about the unknown update ${updateId}`)];
}

/**
 * Each change is told at least once. It may be told again only if a sender was killed in between, and then that attempt was counted.
 * A letter tells the newest change of its title that was seen before the letter came.
 */
function letterFaults(changes: readonly Change[], letters: readonly LedgerLetter[]): string[] {
  const seenAt = ({ rows }: Change) => Date.parse(`${rows[0]?.timestamp.replace(' ', 'T')}Z`);
  const toldBy = ({ title, receivedAt }: LedgerLetter) =>
    changes.findLast((change) => change.title === title && seenAt(change) <= Date.parse(receivedAt));
  const told = Map.groupBy(letters, toldBy);
  const faults = changes.flatMap((change, i) => {
    const copies = told.get(change)?.length ?? 0;
    const attempts = change.rows.reduce((sum, row) => sum + row.email_notify_attempts, 0);
    const { title } = change;
    if (i > 0 && copies === 0) return [`no mail about "${title}"`];
    return copies > attempts ? [`${copies} mails about "${title}" of ${attempts} attempts`] : [];
  });
  return [
    ...faults,
    ...(told.get(undefined) ?? []).map(({ title }) => `a mail about "${title}", which was not seen before`),
  ];
}

/**
 * The updates that the text part of an English mail tells, by case: `(reference FLOW…)` names the case, and the line `Now: …` before
 * the next case says what its status is. "Before" names a status that the mail does not tell.
 */
export function updatesInMail(text: string): { caseId: number; title: string }[] {
  const items = text.matchAll(/\(reference FLOW0*(\d+)\)(?:(?!\(reference )[\s\S])*?\nNow: (.+)/g);
  return [...items].map(([, caseId, title = '']) => ({ caseId: Number(caseId), title: title.trim() }));
}
