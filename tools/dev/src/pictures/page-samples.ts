import type { Language } from '@casewatch/contracts';
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
  confirmPage,
  donePage,
  invalidPage,
} from '../../../../services/notifier/src/http/pages/unsubscribe-page.ts';
import type { Sample } from './sample.ts';

const token = '6fNq0R2m.hT5s-A_0kXw';
const email = { channel: 'email', token: '12.email.4kq-A_0' } as const;
const whatsapp = { channel: 'whatsapp', token: '12.whatsapp.4kq-A_0' } as const;
const refusal = 'invalid_verification_token';

export const pageSamples: readonly Sample[] = [
  page('unsubscribe', 'en', 'The link that switches e-mails off.', (language) =>
    confirmPage(language, { ...email, other: whatsapp }),
  ),
  page('unsubscribe-whatsapp', 'pt', 'The same for WhatsApp.', (language) =>
    confirmPage(language, { ...whatsapp, other: null }),
  ),
  page('unsubscribe-done', 'es', 'E-mails are off, WhatsApp is on.', (language) =>
    donePage(language, { channel: 'email', other: whatsapp, path: '/v1/unsubscribe' }),
  ),
  page('unsubscribe-invalid', 'pt', 'An incomplete unsubscribe link.', (language) =>
    invalidPage(language, '/v1/unsubscribe'),
  ),
  page('verify', 'en', 'The link of a verification mail.', (language) => verifyPage(language, token)),
  page('verified', 'es', 'After its button.', ended(verifiedPage)),
  page('expired', 'pt', 'A verification link after 48 hours.', (language) => expiredPage(language, token)),
  page('new-link', 'en', 'After the button of an expired link.', ended(newLinkPage)),
  page('new-link-later', 'es', 'A second new link within a minute.', ended(newLinkLaterPage)),
  page('verify-invalid', 'pt', 'A verification link that is void.', refused(verifyRefusals[refusal])),
  page('confirm-change', 'en', 'The new address confirms a change.', (language) =>
    confirmChangePage(language, token, 'a…a@example.org'),
  ),
  page('stop-change', 'es', 'The current address can stop a change.', (language) =>
    stopChangePage(language, token, 'n…o@example.org'),
  ),
  page('stopped', 'pt', 'After its button.', ended(stoppedPage)),
  page('undo', 'en', 'The old address can undo a change.', (language) => undoPage(language, token)),
  page('undone', 'es', 'After its button.', ended(undonePage)),
  page('undo-invalid', 'pt', 'An undo link that is void.', refused(undoRefusals[refusal])),
  page(
    'undo-taken',
    'en',
    'The old address has another account.',
    refused(undoRefusals.email_already_exists),
  ),
];

type Render = (language: Language) => string;

/** The last page of a way, which leads to the start page. */
function ended(render: (language: Language, path: string) => string): Render {
  return (language) => render(language, '/v1/users/verify-email');
}

function page(name: string, language: Language, purpose: string, html: Render): Sample {
  return { name: `page-${name}`, purpose, language, html };
}

function refused(render: ((language: Language, path: string) => string) | undefined): Render {
  if (!render) throw new Error('this refusal has no page');
  return (language) => render(language, '/v1/users/verify-email');
}
