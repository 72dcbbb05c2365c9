import type { Language, Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal, View } from '../page.ts';
import { checkbox, disclosure } from '../parts/form.ts';
import { languageOf, type PersonCall, pathOf, personPage } from './person-page.ts';
import { dataTexts } from './texts/data-texts.ts';

const dataPage = personPage({
  method: 'GET',
  path: '/data',
  handle: async (call) => dataView(call, null),
});

/** The deletion cannot be undone, so it asks for a recent sign-in and a mark in a box. */
const deleteAccount = personPage({
  method: 'POST',
  path: '/data/delete',
  form: z.object({ confirm: z.literal('on') }),
  async handle(call) {
    await call.ask('delete_user', { params: pathOf(call) });
    return { ...deletedView(languageOf(call)), endsSession: true };
  },
  refused: async (call, refusal) => dataView(call, refusal),
});

/** A copy of what the operations show about the person. */
const downloadData = personPage({
  method: 'GET',
  path: '/data/download',
  async handle(call) {
    const { user } = await call.ask('get_user', { params: pathOf(call) });
    const cases: CaseCopy[] = [];
    for (const case_ref of await allCaseRefs(call)) cases.push(await copyOf(call, case_ref));
    const text = JSON.stringify({ user, cases }, null, 2);
    return { file: { name: 'casewatch-data.json', type: 'application/json', text } };
  },
});

export const dataPages = [dataPage, downloadData, deleteAccount];

function dataView(call: PersonCall, refusal: Refusal | null): View {
  const texts = dataTexts[languageOf(call)];
  const main = html`<h1>${texts.title}</h1>
<section class="block"><h2>${texts.download}</h2>
<p>${texts.downloadText}</p>
<p><a class="button" href="/data/download" download>${texts.downloadNow}</a></p></section>
<section class="block"><h2>${texts.deletion}</h2>
${deletion(call, refusal)}</section>`;
  return { title: texts.title, main };
}

function deletion(call: PersonCall, refusal: Refusal | null): Markup {
  const texts = dataTexts[languageOf(call)];
  const partner = call.session.user.partner_name;
  return html`<p>${texts.deletionText}</p>
${partner !== null && html`<p>${texts.deletionOfPartner(partner)}</p>`}
${disclosure({
  summary: texts.deleteAccount,
  action: '/data/delete',
  content: checkbox({ name: 'confirm', label: texts.confirm, isRequired: true, refusal }),
  button: texts.deleteNow,
  tone: 'danger',
  refusal,
})}`;
}

/** The answer to the form itself: behind a redirect nobody would know the language of the person, and whose client it was. */
function deletedView(language: Language): View {
  const { deletedTitle, deletedText, startPage } = dataTexts[language];
  const main = html`<h1>${deletedTitle}</h1>
<p>${deletedText}</p>
<p><a class="button" href="/">${startPage}</a></p>`;
  return { title: deletedTitle, main };
}

type CaseCopy = Pick<Success<'get_case'>, 'case' | 'status_updates'>;

async function allCaseRefs(call: PersonCall): Promise<string[]> {
  const refs: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: '100', sort: 'created_at', cursor };
    const { cases, next_cursor } = await call.ask('list_cases', { params: pathOf(call), query });
    refs.push(...cases.map(({ user_case_id }) => user_case_id));
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  return refs;
}

async function copyOf(call: PersonCall, case_ref: string): Promise<CaseCopy> {
  const params = { ...pathOf(call), case_ref };
  const { case: row, status_updates, ...first } = await call.ask('get_case', { params });
  let cursor = first.updates_cursor;
  while (cursor !== null) {
    const older = await call.ask('get_case', { params, query: { updates_cursor: cursor } });
    status_updates.push(...older.status_updates);
    cursor = older.updates_cursor;
  }
  return { case: row, status_updates };
}
