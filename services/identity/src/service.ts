import { defineService } from '@casewatch/platform';
import { identityConfig } from './config.ts';
import { createContext } from './context.ts';
import { onContactOptedOut } from './events/on-contact-opted-out.ts';
import { routes } from './http/routes.ts';
import { processAddressRequests } from './loops/address-requests.ts';
import { announceRevision } from './loops/announce-revision.ts';
import { sendChangeMails } from './loops/change-mails.ts';
import { sendLoginCodes } from './loops/login-code-mails.ts';
import { refreshSigningKeys } from './loops/refresh-signing-keys.ts';
import { sweepSignUps } from './loops/sweep-sign-ups.ts';
import { sendUndoMails } from './loops/undo-mails.ts';
import { sendVerificationMails } from './loops/verification-mails.ts';
import { answerAuthenticate } from './requests/authenticate.ts';
import { answerJwks } from './requests/jwks.ts';
import { answerPartner } from './requests/partner.ts';
import { answerPartnerUser } from './requests/partner-user.ts';
import { answerRevocations } from './requests/revocations.ts';
import { answerSession } from './requests/session.ts';
import { answerUser } from './requests/user.ts';
import { answerUsers } from './requests/users.ts';
import { database } from './store/database.ts';

/** The identity service: users, partners, their keys, sign-in by code, and the mails about accounts. */
export const identity = defineService({
  name: 'identity',
  config: identityConfig,
  database,
  context: createContext,
  http: routes,
  requests: {
    'identity.authenticate': answerAuthenticate,
    'identity.session': answerSession,
    'identity.jwks': answerJwks,
    'identity.revocations': answerRevocations,
    'identity.user': answerUser,
    'identity.users': answerUsers,
    'identity.partner_user': answerPartnerUser,
    'identity.partner': answerPartner,
  },
  events: { 'contact.opted_out': onContactOptedOut },
  loops: [
    refreshSigningKeys,
    sweepSignUps,
    sendLoginCodes,
    sendChangeMails,
    sendUndoMails,
    sendVerificationMails,
    processAddressRequests,
    announceRevision,
  ],
});
