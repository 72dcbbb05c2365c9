import type { Language } from '@casewatch/contracts';
import type { PageReader } from '@casewatch/platform';
import {
  confirmChangePage,
  expiredPage,
  newLinkLaterPage,
  newLinkPage,
  stopChangePage,
  stoppedPage,
  undonePage,
  undoPage,
  undoRefusals,
  verifiedPage,
  verifyPage,
  verifyRefusals,
} from '../../../../services/identity/src/http/pages/address-pages.ts';
import {
  confirmOffPage,
  invalidOffPage,
  offPage,
} from '../../../../services/notifier/src/http/pages/alerts-off-page.ts';
import {
  confirmPage,
  donePage,
  invalidPage,
} from '../../../../services/notifier/src/http/pages/unsubscribe-page.ts';
import type { Sample } from './sample.ts';

const token = '6fNq0R2m.hT5s-A_0kXw';
const email = { channel: 'email', token: '12.email.4kq-A_0' } as const;
const whatsapp = { channel: 'whatsapp', token: '12.whatsapp.4kq-A_0' } as const;
const alerts = 'https://api.casewatch.example/console/alerts';
const refusal = 'invalid_verification_token';
const firm = { name: 'Santos & Partners', logo_url: null };

export const pageSamples: readonly Sample[] = [
  page('unsubscribe', 'en', 'The link that switches e-mails off.', (reader) =>
    confirmPage(reader, { ...email, other: whatsapp }),
  ),
  page('unsubscribe-whatsapp', 'pt', 'The same for WhatsApp.', (reader) =>
    confirmPage(reader, { ...whatsapp, other: null }),
  ),
  page('unsubscribe-done', 'es', 'E-mails are off, WhatsApp is on.', (reader) =>
    donePage(reader, { channel: 'email', other: whatsapp, path: '/v1/unsubscribe' }),
  ),
  page('unsubscribe-invalid', 'pt', 'An incomplete unsubscribe link.', ({ language }) =>
    invalidPage(language, '/v1/unsubscribe'),
  ),
  page(
    'alerts-off',
    'es',
    'The link that switches off the e-mails of a member of the staff.',
    ({ language }) => confirmOffPage(language, email.token),
  ),
  page('alerts-off-done', 'pt', 'After its button.', ({ language }) => offPage(language, alerts)),
  page('alerts-off-invalid', 'en', 'An incomplete link of a member.', ({ language }) =>
    invalidOffPage(language, alerts),
  ),
  page('verify', 'en', 'The link of a verification mail.', (reader) => verifyPage(reader, token)),
  pageOfPartner('verify', 'es', 'The same for a client of a partner.', (reader) => verifyPage(reader, token)),
  page('verified', 'es', 'After its button.', ended(verifiedOf)),
  pageOfPartner('verified', 'pt', 'The same for a client of a partner.', ended(verifiedOf)),
  page('expired', 'pt', 'A verification link after 48 hours.', (reader) => expiredPage(reader, token)),
  page('new-link', 'en', 'After the button of an expired link.', ended(newLinkPage)),
  page('new-link-later', 'es', 'A second new link within a minute.', ended(newLinkLaterPage)),
  page('verify-invalid', 'pt', 'A verification link that is void.', refused(verifyRefusals[refusal])),
  page('confirm-change', 'en', 'The new address confirms a change.', (reader) =>
    confirmChangePage(reader, token, 'a…a@example.org'),
  ),
  page('stop-change', 'es', 'The current address can stop a change.', (reader) =>
    stopChangePage(reader, token, 'n…o@example.org'),
  ),
  page('stopped', 'pt', 'After its button.', ended(stoppedPage)),
  page('undo', 'en', 'The old address can undo a change.', (reader) => undoPage(reader, token)),
  page('undone', 'es', 'After its button.', ended(undonePage)),
  page('undo-invalid', 'pt', 'An undo link that is void.', refused(undoRefusals[refusal])),
  page(
    'undo-taken',
    'en',
    'The old address has another account.',
    refused(undoRefusals.email_already_exists),
  ),
];

/** Of somebody who gets messages. */
function verifiedOf(reader: PageReader, path: string): string {
  return verifiedPage(reader, { path, isTold: true });
}

type Render = (reader: PageReader) => string;

/** The last page of a way, which leads to the start page. */
function ended(render: (reader: PageReader, path: string) => string): Render {
  return (reader) => render(reader, '/v1/users/verify-email');
}

function page(name: string, language: Language, purpose: string, render: Render): Sample {
  const html = (shown: Language) => render({ language: shown, brand: null });
  return { name: `page-${name}`, purpose, language, html };
}

function pageOfPartner(name: string, language: Language, purpose: string, render: Render): Sample {
  const html = (shown: Language) => render({ language: shown, brand: firm });
  return { name: `page-${name}-of-partner`, purpose, language, html };
}

function refused(render: ((reader: PageReader, path: string) => string) | undefined): Render {
  if (!render) throw new Error('this refusal has no page');
  return (reader) => render(reader, '/v1/users/verify-email');
}
