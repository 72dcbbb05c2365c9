import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal, View } from '../page.ts';
import { checkbox } from '../parts/field.ts';
import { disclosure } from '../parts/form.ts';
import { languageOf, type PersonCall, pathOf, personPage } from './person-page.ts';
import { dataTexts } from './texts/data-texts.ts';

export const dataPage = personPage({
  method: 'GET',
  path: '/data',
  scope: null,
  handle: async (call) => dataView(call, null),
});

/** The deletion cannot be undone, so it asks for a recent sign-in and a mark in a box. */
export const deleteAccount = personPage({
  method: 'POST',
  path: '/data/delete',
  scope: null,
  form: z.object({ confirm: z.literal('on') }),
  async handle(call) {
    await call.ask('delete_user', { params: pathOf(call) });
    return { to: '/deleted', endsSession: true };
  },
  refused: async (call, refusal) => dataView(call, refusal),
});

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
