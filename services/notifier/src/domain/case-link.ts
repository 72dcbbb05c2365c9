type Where = {
  /** Null for a direct user. */
  partner: { case_url: string | null } | null;
  appUrl: string | null;
  userCaseId: string;
};

/**
 * Where a person sees their case: at their partner's (`case_url` with `{user_case_id}`), a direct user at APP_URL; null
 * where nobody said (notifier.md, Content).
 */
export function caseLink({ partner, appUrl, userCaseId }: Where): string | null {
  const template = partner ? partner.case_url : appUrl;
  if (template === null) return null;
  const link = template.replaceAll('{user_case_id}', encodeURIComponent(userCaseId));
  return /^https?:\/\//.test(link) && URL.canParse(link) ? link : null;
}
