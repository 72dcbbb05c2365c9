/** What came of one call. `status` null: no answer. */
export type Answer = { status: number | null; error: string | null };

const redirects = new Set([300, 301, 302, 303, 307, 308]);

/** 2xx is success; a redirect is not followed; everything else is a failure named by its status (webhooks.md). */
export function judgeStatus(status: number): Answer {
  if (status >= 200 && status < 300) return { status, error: null };
  return { status, error: redirects.has(status) ? 'redirect_not_followed' : `http_${status}` };
}
