import type { OperationHandlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { renewVerificationLink } from './address-links/renew-verification-link.ts';
import { resendPartnerVerification, resendVerification } from './address-links/resend-verification.ts';
import { undoEmailChange, undoEmailChangePage } from './address-links/undo-email-change.ts';
import { verifyEmailButton, verifyEmailLink } from './address-links/verify-email.ts';
import { createConsoleLink } from './console/create-console-link.ts';
import { createKey } from './keys/create-key.ts';
import { listKeys } from './keys/list-keys.ts';
import { revokeKey } from './keys/revoke-key.ts';
import { rotateKey } from './keys/rotate-key.ts';
import { getProfile, updateLogo } from './profile.ts';
import { updateProfile } from '../settings/profile-settings.ts';
import { listAudit } from '../audit/audit.ts';
import { inviteStaffMember } from '../staff/invitation.ts';
import { exportStaffMember } from '../staff/export.ts';
import {
  getStaffMember,
  listAssignees,
  listStaff,
  removeStaffMember,
  updateStaffMember,
} from '../staff/members.ts';
import { resetSecondFactor } from '../staff/reset-second-factor.ts';
import { issueToken } from './sign-in/issue-token.ts';
import { logOut } from './sign-in/log-out.ts';
import { requestLoginCode } from './sign-in/request-login-code.ts';
import { verifyLoginCode } from './sign-in/verify-login-code.ts';
import { createPartnerUser, createUser } from './users/create-user.ts';
import { deletePartnerUser, deleteUser } from './users/delete-user.ts';
import { getPartnerUser, getUser } from './users/get-user.ts';
import { exportUsers, listPartnerUsers, listUsers } from './users/list-users.ts';
import { updatePartnerUser, updateUser } from './users/update-user.ts';

export const routes: OperationHandlers<'identity', Context> = {
  request_login_code: requestLoginCode,
  verify_login_code: verifyLoginCode,
  issue_token: issueToken,
  log_out: logOut,
  undo_email_change_page: undoEmailChangePage,
  undo_email_change: undoEmailChange,
  renew_verification_link: renewVerificationLink,
  get_user: getUser,
  update_user: updateUser,
  verify_email_link: verifyEmailLink,
  verify_email_button: verifyEmailButton,
  list_partner_users: listPartnerUsers,
  export_users: exportUsers,
  create_partner_user: createPartnerUser,
  get_partner_user: getPartnerUser,
  update_partner_user: updatePartnerUser,
  resend_partner_verification: resendPartnerVerification,
  delete_partner_user: deletePartnerUser,
  list_users: listUsers,
  create_user: createUser,
  resend_verification: resendVerification,
  delete_user: deleteUser,
  get_profile: getProfile,
  update_logo: updateLogo,
  update_profile: updateProfile,
  list_keys: listKeys,
  create_key: createKey,
  rotate_key: rotateKey,
  revoke_key: revokeKey,
  create_console_link: createConsoleLink,
  list_staff: listStaff,
  list_assignees: listAssignees,
  invite_staff_member: inviteStaffMember,
  get_staff_member: getStaffMember,
  update_staff_member: updateStaffMember,
  remove_staff_member: removeStaffMember,
  reset_second_factor: resetSecondFactor,
  export_staff_member: exportStaffMember,
  list_audit: listAudit,
};
