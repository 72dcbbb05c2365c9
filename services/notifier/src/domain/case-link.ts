type LinkParts = {
  partner: { case_url: string | null } | null;
  appUrl: string | null;
  userCaseId: string;
};

/** Address of the case at the partner (`case_url`), or at APP_URL for a direct user; null if there is none. */
export function caseLink({ partner, appUrl, userCaseId }: LinkParts): string | null {
  const template = partner ? partner.case_url : appUrl;
  if (template === null) return null;
  const link = template.replaceAll('{user_case_id}', encodeURIComponent(userCaseId));
  return /^https?:\/\//.test(link) && URL.canParse(link) ? link : null;
}
