import type { Language } from '@casewatch/contracts';

type LinkParts = {
  partner: { case_url: string | null } | null;
  /** APP_URL: a page of the operator for direct users. */
  appUrl: string | null;
  /** Of the gateway, which has a page for each case: its person signs in there, in the language of the message. */
  publicUrl: string;
  userCaseId: string;
  language: Language;
};

/**
 * Address of the case: at the partner (`case_url`), at APP_URL for a direct user, else our own page. A message never ends without a way
 * to the case (firm.md §7).
 */
export function caseLink({ partner, appUrl, publicUrl, userCaseId, language }: LinkParts): string {
  const id = encodeURIComponent(userCaseId);
  const own = `${publicUrl}/cases/${id}?language=${language}`;
  const link = (partner ? partner.case_url : appUrl)?.replaceAll('{user_case_id}', id) ?? own;
  return /^https?:\/\//.test(link) && URL.canParse(link) ? link : own;
}
