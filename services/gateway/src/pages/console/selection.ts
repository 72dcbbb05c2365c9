import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { AskInput } from '../page.ts';
import { notice } from '../parts/blocks.ts';
import { withQuery } from '../parts/table.ts';
import { type ConsoleCall, ifAvailable } from './console-page.ts';

// Rows that are selected in a list of cases or changes, and what is done with them.

type Member = Success<'list_assignees'>['assignees'][number];

export type Assignees = {
  readonly members: readonly Member[];
  /** Null: not a member any more, or identity is away. */
  nameOf(id: number): string | null;
};

/** For a page on which nothing is asked. */
export const noAssignees: Assignees = { members: [], nameOf: () => null };

/** The members to whom cases can be given. None while identity is away. */
export async function readAssignees({ ask }: ConsoleCall): Promise<Assignees> {
  const answer = await ifAvailable(ask('list_assignees'));
  const members = answer?.assignees ?? [];
  const names = new Map(members.map(({ id, name }) => [id, name]));
  return { members, nameOf: (id) => names.get(id) ?? null };
}

/** Oneself first. */
export function memberChoices({ session }: ConsoleCall, { members }: Assignees) {
  const isOwn = ({ id }: Member) => id === session.principal.staff_id;
  const choiceOf = (member: Member) => ({
    value: String(member.id),
    text: isOwn(member) ? `Me (${member.name})` : member.name,
  });
  return [...members.filter(isOwn), ...members.filter((member) => !isOwn(member))].map(choiceOf);
}

/** Who a case can be given to: a member, or nobody. Read by `assigneeField`. */
export function assigneeChoices(call: ConsoleCall, assignees: Assignees) {
  return [...memberChoices(call, assignees), { value: 'none', text: 'Nobody' }];
}

/** A choice of `assigneeChoices`: the id of a member, or null for nobody. */
export const assigneeField = z.union([z.literal('none').transform(() => null), z.coerce.number().int()]);

/** A choice of `assignControl`, in which nothing may be chosen. */
export const optionalAssignee = z.union([z.literal('').transform(() => undefined), assigneeField]).optional();

/** Gives the selected rows to somebody. The key `a` goes to it. */
export function assignControl(call: ConsoleCall, assignees: Assignees): Markup {
  const choices = assigneeChoices(call, assignees);
  return html`<label class="hidden" for="f-assign">Assign selected to</label>
<select id="f-assign" name="assignee_id" data-key="a"><option value="">Assign selected to…</option>${choices.map(({ value, text }) => html`<option value="${value}">${text}</option>`)}</select>
<button type="submit" class="button" name="to" value="assign">Assign</button>`;
}

/** What keys do in a list (enhance.js). */
export function keyHints(hints: readonly (readonly [string, string])[]): Markup {
  const all = [['j', 'next'], ['k', 'previous'], ...hints, ['Enter', 'open'], ['/', 'search']] as const;
  return html`<p class="quiet small keys">${all.map(([key, text]) => html`<kbd>${key}</kbd> ${text} `)}</p>`;
}

/** Does the same to several cases. @returns what the page says of it, as a query */
export async function changeCases(
  { ask }: ConsoleCall,
  input: AskInput<'change_partner_cases'>,
): Promise<{ changed: string; refused: string | null }> {
  const { results } = await ask('change_partner_cases', input);
  const refused = results.filter(({ outcome }) => outcome === 'refused').length;
  return { changed: String(results.length - refused), refused: refused === 0 ? null : String(refused) };
}

/**
 * The list from which a form was sent, without what an earlier form said there. A path of ours alone.
 * @param path of the page with the list
 */
export function listUrl(path: string, url: string | undefined): string {
  const isOurs = url !== undefined && (url === path || url.startsWith(`${path}?`));
  return withQuery(isOurs ? url : path, { marked: null, changed: null, refused: null, done: null });
}

/** What `changeCases` returned, in the address of the page that says it. */
export const changedCounts = {
  changed: z.coerce.number().int().optional().catch(undefined),
  refused: z.coerce.number().int().optional().catch(undefined),
};

export function changedNotice(changed: number | undefined, refused = 0): Markup | null {
  if (changed === undefined) return null;
  const done = `Done for ${counted(changed, 'case')}.`;
  return refused === 0
    ? notice('good', done)
    : notice('warn', `${done} Refused for ${counted(refused, 'case')}: open it to see why.`);
}

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
