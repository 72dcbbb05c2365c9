import type { EndpointStage, Language } from '@casewatch/contracts';
import { html } from '@casewatch/platform';
import { cleanLine } from './clean-text.ts';
import { dateInWords } from './date-in-words.ts';
import { causeIn } from './endpoint-mail-causes.ts';
import { endpointMailTexts } from './endpoint-mail-texts.ts';
import {
  button,
  callout,
  headingOf,
  layout,
  ourName,
  paragraph,
  type RenderedMail,
  textPart,
} from './layout.ts';

const template = 'endpoint_mail@5';

export type EndpointMail = {
  stage: EndpointStage;
  webhookId: number;
  host: string;
  description: string;
  failingSince: Date;
  disabledAt: Date;
  /** Error class of the last attempt. */
  error: string | null;
  /** Address of the API reference. */
  reference: string;
};

/** Tells a partner that an endpoint fails, why, what happens next, and what to do (webhooks.md, Delivery). */
export function renderEndpointMail(mail: EndpointMail, language: Language): RenderedMail {
  const texts = endpointMailTexts[language];
  const content = contentOf(mail, language);
  const subject = texts.subject[mail.stage](content.host);
  const { paragraphs, steps } = content;
  const lines = steps.map((step, index) => `${index + 1}. ${step}`);
  const list = html`<ol style="margin:0 0 12px;padding-left:24px">
${steps.map((step) => html`<li style="margin:0 0 8px">${step}</li>\n`)}</ol>
`;
  const body = html`${paragraphs.map((part) => paragraph(part))}${headingOf(2, texts.toDo)}${callout(list)}${button(
    mail.reference,
    texts.reference,
  )}`;
  const preheader = paragraphs[0] ?? '';
  return {
    template,
    fromName: null,
    subject,
    text: textPart(
      [...paragraphs, [`${texts.toDo}:`, ...lines].join('\n'), `${texts.reference}:\n${mail.reference}`],
      [texts.why],
    ),
    html: layout({ language, preheader, brand: ourName, heading: subject, body, foot: [texts.why] }),
  };
}

function contentOf(mail: EndpointMail, language: Language) {
  const texts = endpointMailTexts[language];
  const host = cleanLine(mail.host, 253);
  const description = cleanLine(mail.description, 255);
  const since = dateInWords(mail.failingSince, language);
  const disabledAt = dateInWords(mail.disabledAt, language);
  const cause = causeIn(mail.error, language);
  const isGone = mail.stage === 'disabled' && mail.error === 'http_410';
  const path = `/v1/webhooks/${mail.webhookId}`;
  const paragraphs = [
    texts.endpoint(mail.webhookId, host) + (description === '' ? '' : ` (${description})`),
    ...(isGone ? [texts.gone(disabledAt)] : [texts.since(since)]),
    ...(isGone || cause === null ? [] : [`${texts.lastError}: ${cause}`]),
    texts.next[mail.stage](disabledAt),
  ];
  const steps =
    mail.stage === 'disabled'
      ? texts.enableSteps(path, mail.failingSince.toISOString())
      : texts.repairSteps(path);
  return { host, paragraphs, steps };
}
