import type { Handlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { createKey } from './keys/create-key.ts';
import { createPartnerUser } from './create-partner-user.ts';
import { createUser } from './users/create-user.ts';
import { deletePartnerUser } from './delete-partner-user.ts';
import { deleteUser } from './users/delete-user.ts';
import { getPartnerUser } from './get-partner-user.ts';
import { getProfile } from './profile/get-profile.ts';
import { getUser } from './users/get-user.ts';
import { issueToken } from './sign-in/issue-token.ts';
import { listKeys } from './keys/list-keys.ts';
import { listPartnerUsers } from './list-partner-users.ts';
import { listUsers } from './users/list-users.ts';
import { logOut } from './sign-in/log-out.ts';
import { requestLoginCode } from './sign-in/request-login-code.ts';
import { resendPartnerVerification } from './resend-partner-verification.ts';
import { resendVerification } from './address-links/resend-verification.ts';
import { revokeKey } from './keys/revoke-key.ts';
import { rotateKey } from './keys/rotate-key.ts';
import { undoEmailChange } from './address-links/undo-email-change.ts';
import { undoEmailChangePage } from './address-links/undo-email-change-page.ts';
import { updateLogo } from './profile/update-logo.ts';
import { updatePartnerUser } from './update-partner-user.ts';
import { updateUser } from './users/update-user.ts';
import { verifyEmailButton } from './address-links/verify-email-button.ts';
import { verifyEmailLink } from './address-links/verify-email-link.ts';
import { verifyLoginCode } from './sign-in/verify-login-code.ts';

/** Every operation that identity answers. */
export function routes(ctx: Context): Handlers<'identity'> {
  return {
    request_login_code: requestLoginCode(ctx),
    verify_login_code: verifyLoginCode(ctx),
    issue_token: issueToken(ctx),
    log_out: logOut(ctx),
    undo_email_change_page: undoEmailChangePage(ctx),
    undo_email_change: undoEmailChange(ctx),
    get_user: getUser(ctx),
    update_user: updateUser(ctx),
    verify_email_link: verifyEmailLink(ctx),
    verify_email_button: verifyEmailButton(ctx),
    list_partner_users: listPartnerUsers(ctx),
    create_partner_user: createPartnerUser(ctx),
    get_partner_user: getPartnerUser(ctx),
    update_partner_user: updatePartnerUser(ctx),
    resend_partner_verification: resendPartnerVerification(ctx),
    delete_partner_user: deletePartnerUser(ctx),
    list_users: listUsers(ctx),
    create_user: createUser(ctx),
    resend_verification: resendVerification(ctx),
    delete_user: deleteUser(ctx),
    get_profile: getProfile(ctx),
    update_logo: updateLogo(ctx),
    list_keys: listKeys(ctx),
    create_key: createKey(ctx),
    rotate_key: rotateKey(ctx),
    revoke_key: revokeKey(ctx),
  };
}
