import {
  type Acknowledgement,
  type CaseDelivery,
  htmlLanguage,
  type Language,
  type Success,
  statusWords,
  type ToldMember,
} from '@casewatch/contracts';
import { ApiError, html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal, View } from '../page.ts';
import { facts, notice, pageHead, section, stats, timeline } from '../parts/blocks.ts';
import {
  buttonForm,
  changedFields,
  disclosure,
  field,
  isEmpty,
  optionalText,
  select,
  shownFields,
} from '../parts/form.ts';
import { entriesNewIn } from '../parts/history.ts';
import { emptyState, pager } from '../parts/table.ts';
import { planned, type Times } from '../parts/time.ts';
import { explanationOf, withBoldDay } from '../people/status-words.ts';
import { answerActs, answerCard, answerForm, noticeForm } from './answer.ts';
import { type ConsoleCall, can, casePath, consolePage, ifAvailable } from './console-page.ts';
import { type Assignees, assigneeChoices, assigneeField, readAssignees } from './selection.ts';
import { deliveryPill, deliveryReason, monitoringPill, notifyPill, reasonOf } from './states.ts';
import { toldMembers } from './told-staff.ts';

/** By the source of the answer. */
const checkNotices: Readonly<Record<'live' | 'cache', Markup>> = {
  live: notice(
    'good',
    'USCIS answered just now. If the status changed, the timeline shows the change within seconds.',
  ),
  cache: notice('info', 'The status was checked less than 5 minutes ago, so USCIS was not asked again.'),
};

/** The shortest that the operation accepts, seconds: a status that is younger is not asked for again. */
const maxAgeS = 300;

/** Everything about one case: each status, what it means, and who was told. */
const casePage = consolePage({
  method: 'GET',
  path: '/console/cases/:case_ref',
  scope: 'cases:read',
  params: casePath,
  query: z.object({
    updates_cursor: optionalText,
    checked: z.enum(['live', 'cache']).optional(),
    done: z.enum(['saved']).optional(),
  }),
  async handle(call) {
    const { updates_cursor, checked, done } = call.query;
    const saved = done && notice('good', 'The changes are saved.');
    return await caseView(call, { updates_cursor, notice: checked ? checkNotices[checked] : saved });
  },
});

/** A live check, which counts for the live checks of the partner. The answer changes the case like every check. */
const checkCase = consolePage({
  method: 'POST',
  path: '/console/cases/:case_ref/check',
  scope: 'check',
  params: casePath,
  async handle({ ask, params }) {
    const { case: row } = await ask('get_partner_case', { params });
    const { source } = await ask('check', {
      body: { receipt_number: row.receipt_number, max_age: maxAgeS },
    });
    return { to: `/console/cases/${row.user_case_id}?checked=${source}` };
  },
  refused: async (call, refusal) => await caseView(call, { notice: notice('bad', refusal.message) }),
});

const setActive = (verb: 'pause' | 'resume') =>
  consolePage({
    method: 'POST',
    path: `/console/cases/:case_ref/${verb}`,
    scope: 'cases:write',
    params: casePath,
    async handle({ ask, params: { case_ref } }) {
      const { case: row } = await ask('get_partner_case', { params: { case_ref } });
      const params = { user_id: row.user_id, case_ref };
      await ask('update_case', { params, body: { active: verb === 'resume' } });
      return { to: `/console/cases/${row.user_case_id}` };
    },
  });

/** What the firm itself notes about a case. */
const editCase = consolePage({
  method: 'POST',
  path: '/console/cases/:case_ref/edit',
  scope: 'cases:write',
  params: casePath,
  form: z.object({
    assignee_id: assigneeField,
    reference: optionalText.transform((text) => text ?? null),
    description: z.string(),
    shown: shownFields,
  }),
  async handle({ ask, params, form: { shown, ...fields } }) {
    const body = changedFields(fields, shown);
    if (!isEmpty(body)) await ask('update_partner_case', { params, body });
    return { to: `/console/cases/${params.case_ref}?done=saved` };
  },
  refused: async (call, refusal) => await caseView(call, { notice: undefined, refusal }),
});

/** The day for an answer that the notice names. */
const noteNotice = consolePage({
  method: 'POST',
  path: '/console/cases/:case_ref/answer',
  scope: 'cases:write',
  params: casePath,
  form: noticeForm,
  async handle({ ask, params, form: { shown, status_update_id, ...fields } }) {
    const body = changedFields(fields, shown);
    if (!isEmpty(body)) await ask('update_partner_case', { params, body: { ...body, status_update_id } });
    return { to: `/console/cases/${params.case_ref}?done=saved` };
  },
  refused: async (call, answerRefusal) => await caseView(call, { notice: undefined, answerRefusal }),
});

const noteAnswer = (act: keyof typeof answerActs) =>
  consolePage({
    method: 'POST',
    path: `/console/cases/:case_ref/answer/${act}`,
    scope: 'cases:write',
    params: casePath,
    form: answerForm,
    async handle({ ask, params, form }) {
      const body = { ...answerActs[act], ...form };
      const { case: row } = await ask('update_partner_case', { params, body });
      return { to: `/console/cases/${row.user_case_id}?done=saved` };
    },
    refused: async (call, refusal) => await caseView(call, { notice: notice('bad', refusal.message) }),
  });

/** The receipt number must be typed: the deletion cannot be undone. */
const deleteCase = consolePage({
  method: 'POST',
  path: '/console/cases/:case_ref/delete',
  scope: 'cases:write',
  params: casePath,
  form: z.object({ confirmation: z.string() }),
  async handle({ ask, params, form: { confirmation } }) {
    const { case: row } = await ask('get_partner_case', { params });
    if (confirmation.replaceAll(/[\s-]/g, '').toUpperCase() !== row.receipt_number)
      throw new ApiError('validation_failed', {
        message: `Type ${row.receipt_number} to delete this case.`,
      });
    await ask('delete_partner_case', { params });
    return { to: '/console/cases' };
  },
  refused: async (call, refusal) => await caseView(call, { notice: notice('bad', refusal.message) }),
});

export const casePages = [
  casePage,
  setActive('pause'),
  setActive('resume'),
  checkCase,
  editCase,
  noteNotice,
  noteAnswer('done'),
  noteAnswer('undone'),
  noteAnswer('estimate'),
  deleteCase,
];

type Options = {
  readonly updates_cursor?: string | undefined;
  readonly notice: Markup | undefined;
  /** Of what the firm notes. */
  readonly refusal?: Refusal;
  /** Of the day in the notice. */
  readonly answerRefusal?: Refusal;
};

async function caseView(
  call: ConsoleCall<z.output<typeof casePath>>,
  { updates_cursor, notice, refusal, answerRefusal }: Options,
): Promise<View> {
  const { ask, params, url } = call;
  const [answer, assignees, { acknowledgements }, deliveries] = await Promise.all([
    ask('get_partner_case', { params, query: { updates_cursor } }),
    readAssignees(call),
    ask('list_acknowledgements', { params }),
    deliveriesByUpdate(call, params),
  ]);
  const dates = {
    times: call.times,
    isEditor: can(call, 'cases:write'),
    refusal: answerRefusal,
  };
  const main = html`${head(call, answer)}
${notice}
${summary(call, answer)}
${section('At your firm', html`${answerCard(answer.case, dates)}${ofFirm(call, answer, assignees, refusal)}`)}
${section('Timeline', moments(call, answer, deliveries))}
${pager({ url, next: answer.updates_cursor, cursorName: 'updates_cursor' })}
${section('Authorized access', acknowledgementFacts(call, acknowledgements))}
${can(call, 'audit') && html`<p><a href="/console/activity?object=case:${answer.case.id}">Activity of this case</a></p>`}
${can(call, 'cases:write') && deletion(answer)}`;
  return { title: answer.case.user_case_id, main, isLive: true };
}

type Shown = Success<'get_partner_case'>;
type Update = Shown['status_updates'][number];

function head(call: ConsoleCall, { case: row, monitoring }: Shown): Markup {
  const { user } = row;
  const path = `/console/cases/${row.user_case_id}`;
  const toggle = row.active ? 'Pause' : 'Resume';
  const actions = html`${row.active && can(call, 'check') && buttonForm(`${path}/check`, 'Check now')}
${can(call, 'cases:write') && buttonForm(`${path}/${toggle.toLowerCase()}`, toggle)}`;
  return pageHead({
    back: { href: '/console/cases', text: 'Cases' },
    title: row.description || row.receipt_number,
    sub: html`<span class="mono" data-copy>${row.receipt_number}</span> · ${row.user_case_id}${
      user &&
      html`<br><a href="/console/users/${user.id}">${user.name}</a>${user.phone && html` · <span data-copy>${user.phone}</span>`} · <span data-copy>${user.email}</span>`
    }`,
    aside: html`${monitoringPill(monitoring.state)}${actions}`,
  });
}

function summary({ times }: ConsoleCall, { case: row, monitoring, update_count }: Shown): Markup {
  return stats([
    { label: 'Last checked', value: times.ago(row.last_checked) },
    { label: 'Next check', value: planned(times, monitoring.next_check_at, row.active ? 'soon' : 'paused') },
    { label: 'Monitored since', value: times.day(row.created_at) },
    { label: 'Status updates', value: update_count },
  ]);
}

/** Who works on the case, and the firm's own words for it. */
function ofFirm(
  call: ConsoleCall,
  { case: row }: Shown,
  assignees: Assignees,
  refusal: Refusal | undefined,
): Markup {
  const { assignee, reference, description } = row;
  const noted = html`<div class="card">${facts([
    ['Assignee', assignee?.name ?? 'Nobody'],
    ['Matter number', reference ?? 'None'],
    ['Description', description || 'None'],
  ])}</div>`;
  if (!can(call, 'cases:write')) return noted;
  // A member who can no longer be chosen stays on the case until somebody else is chosen.
  const choices = assigneeChoices(call, assignees);
  const isListed = assignee === null || assignees.nameOf(assignee.id) !== null;
  const all = isListed ? choices : [...choices, { value: String(assignee.id), text: assignee.name }];
  const content = html`${select({ name: 'assignee_id', label: 'Assignee', value: String(assignee?.id ?? 'none'), choices: all, refusal })}
${field({ name: 'reference', label: 'Matter number', value: reference, hint: 'Your own number for the matter. Users never see it.', refusal })}
${field({ name: 'description', label: 'Description', value: description, hint: 'The user sees it on the page of the case.', refusal })}`;
  return html`${noted}<div class="change">${disclosure({ summary: 'Change…', action: `/console/cases/${row.user_case_id}/edit`, content, button: 'Save', refusal, shown: { assignee_id: assignee?.id ?? null, reference, description } })}</div>`;
}

function deletion({ case: row }: Shown): Markup {
  const content = field({
    name: 'confirmation',
    label: `Type ${row.receipt_number} to confirm`,
    isRequired: true,
  });
  return section(
    'Delete this case',
    disclosure({
      summary: 'Delete case…',
      summaryTone: 'bad',
      text: 'This stops the monitoring and deletes the case with its status updates, for example after a mistyped receipt number. This cannot be undone.',
      action: `/console/cases/${row.user_case_id}/delete`,
      content,
      button: 'Delete case',
      tone: 'danger',
    }),
  );
}

function moments(
  { times, session }: ConsoleCall,
  { status_updates, case: row, told: toldStaff }: Shown,
  deliveries: UpdateDeliveries,
): Markup {
  if (status_updates.length === 0) {
    return emptyState({
      title: 'No status yet',
      text: 'The first check with USCIS is planned. This page shows the status as soon as USCIS has answered.',
    });
  }
  return timeline(
    status_updates.map((update, i) => ({
      isCurrent: update.id === row.latest_update?.id,
      content: updateMoment(times, update, {
        older: status_updates.slice(i + 1),
        language: row.user?.preferred_language ?? 'en',
        readIn: session.language,
        deliveries: deliveries.get(update.id) ?? [],
        staff: toldStaff.find(({ status_update_id }) => status_update_id === update.id)?.staff ?? [],
      }),
    })),
  );
}

const kinds: Readonly<Partial<Record<Update['kind'], string>>> = {
  baseline: 'First status',
  translation: 'Translation changed',
  flap: 'Correction',
};

type Around = {
  /** The updates before it, as far as they are shown. */
  readonly older: readonly Update[];
  /** Of the user. */
  readonly language: Language;
  /** Of the member who reads it; missing: that of the user. */
  readonly readIn?: Language;
  readonly deliveries: readonly UpdateDelivery[];
  /** The members who were told; missing: nobody. */
  readonly staff?: readonly ToldMember[];
};

/** One status: our words in the order of the mails, those of the government, who was told, and which endpoints received it. */
export function updateMoment(
  times: Times,
  update: Update,
  { older, language, readIn = language, deliveries, staff = [] }: Around,
): Markup {
  const { changes, history, touched_at } = update;
  const changed = changes.length === 0 ? null : `Changed: ${changes.join(', ')}`;
  const facts = [kinds[update.kind], changed, update.form_type].filter((text) => text != null);
  const added = entriesNewIn(update, older);
  const { meaning, toDo } = explanationOf(update, language);
  const lang = htmlLanguage[language];
  return html`<div class="row"><h3>${update.status_code}</h3><p class="small quiet">${times.exact(update.timestamp)} (${times.ago(update.timestamp)})</p></div>
<p class="small quiet">${facts.join(' · ')}</p>
${touched_at && html`<p class="small quiet">USCIS touched its record on ${times.exact(touched_at)}; what it says did not change.</p>`}
<div class="card">
${
  toDo &&
  html`<h4 class="small quiet">What to do, as the user reads it</h4>
<p lang="${lang}">${withBoldDay(toDo.notice)} ${toDo.action} ${withBoldDay(toDo.deadline)}</p>`
}
<h4 class="small quiet">What this means, as the user reads it</h4>
<p lang="${lang}">${meaning}</p>
${readIn !== language && inOwnLanguage(update, readIn)}
<h4 class="small quiet">What USCIS says</h4>
<p class="words" lang="en">${update.status_description}</p>
${added.length > 0 && html`<h4 class="small quiet">New in the history</h4>${entries(added)}`}
${history.length > 0 && html`<details class="small"><summary>History at USCIS (${history.length})</summary>${entries(history)}</details>`}
<h4 class="small quiet">Who was told</h4>
${told(times, update, staff)}
${deliveries.length > 0 && html`<h4 class="small quiet">Your systems</h4>${received(times, deliveries)}`}
</div>`;
}

/** The same for a member who reads another language than the user. */
function inOwnLanguage({ status_code }: Update, language: Language): Markup {
  const { meaning, action } = statusWords(status_code, language);
  return html`<h4 class="small quiet">In your language</h4>
<p lang="${htmlLanguage[language]}">${action && `${action} `}${meaning}</p>`;
}

/** Newest first. The days are those of USCIS, in no zone. */
function entries(history: Update['history']): Markup {
  const shown = history
    .toReversed()
    .map(
      ({ date, status_code }) =>
        html`<li><span class="quiet mono">${date}</span> <span lang="en">${status_code}</span></li>\n`,
    );
  return html`<ul class="told">${shown}</ul>`;
}

function received(times: Times, deliveries: readonly UpdateDelivery[]): Markup {
  return html`<ul class="told">${deliveries.map(
    (delivery) =>
      html`<li><a href="/console/webhooks/${delivery.webhook_id}/deliveries/${delivery.id}">${delivery.endpoint}</a>${deliveryPill(delivery.status)}<span class="small quiet">${resultOf(times, delivery)}</span></li>\n`,
  )}</ul>`;
}

function resultOf(times: Times, delivery: UpdateDelivery): Markup {
  const { reason, attempt_count, last_status, last_error, next_attempt_at, created_at } = delivery;
  const answer = last_status === null ? last_error : `HTTP ${last_status}`;
  const attempts = attempt_count > 1 ? ` after ${attempt_count} attempts` : '';
  if (reason !== null) return html`${answer && `${answer}${attempts}, `}${deliveryReason(reason)}`;
  const when = next_attempt_at
    ? html`next attempt ${planned(times, next_attempt_at, '')}`
    : html`${times.exact(created_at)}`;
  return html`${answer && `${answer}${attempts}, `}${when}`;
}

/** Who was told of a status update: each channel with its state, the reason and the time. */
export function told(times: Times, update: Update, staff: readonly ToldMember[] = []): Markup {
  const channels = [
    ['E-mail', update.email_notify_status, update.email_notify_last_error, update.email_notify_sent_at],
    [
      'WhatsApp',
      update.whatsapp_notify_status,
      update.whatsapp_notify_last_error,
      update.whatsapp_notify_sent_at,
    ],
  ] as const;
  return html`<ul class="told">${channels.map(
    ([name, status, error, at]) =>
      html`<li><b>${name}</b>${notifyPill(status)}<span class="small quiet">${reasonOf(error)} ${at && times.exact(at)}</span></li>\n`,
  )}${toldMembers(times, staff)}</ul>`;
}

type UpdateDelivery = CaseDelivery & { readonly endpoint: string };
/** By the id of the status update. */
type UpdateDeliveries = ReadonlyMap<number, readonly UpdateDelivery[]>;

/** Which endpoints received each status of a case. Empty if the session does not see webhooks. */
async function deliveriesByUpdate(
  call: ConsoleCall,
  params: z.output<typeof casePath>,
): Promise<UpdateDeliveries> {
  if (!can(call, 'webhooks')) return new Map();
  const { ask } = call;
  const answers = await ifAvailable(
    Promise.all([ask('list_case_deliveries', { params }), ask('list_webhooks', { query: { limit: '100' } })]),
  );
  if (answers === null) return new Map();
  const [{ deliveries }, { webhooks }] = answers;
  const names = new Map(webhooks.map(({ id, description, url }) => [id, description || url]));
  const named = deliveries.map((delivery) => ({
    ...delivery,
    endpoint: names.get(delivery.webhook_id) ?? 'Deleted endpoint',
  }));
  return Map.groupBy(named, ({ status_update_id }) => status_update_id);
}

/** Who said that access to the case is authorized, when, and to which text. */
function acknowledgementFacts({ times }: ConsoleCall, acknowledgements: readonly Acknowledgement[]): Markup {
  return html`<div class="card">${acknowledgements.map(
    ({ acknowledged_at, acknowledged_by, key_id, staff_member, version }) =>
      facts([
        ['Acknowledged', times.exact(acknowledged_at)],
        [
          'By',
          acknowledged_by === 'user'
            ? 'The user'
            : staff_member !== null
              ? staff_member.name
              : `You, with API key ${key_id}`,
        ],
        ['Version of the text', version],
      ]),
  )}</div>`;
}
