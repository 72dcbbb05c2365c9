/** A page, and the headers that let it do no more than it needs. */
export type PageAnswer = { page: string; status: number; headers: Record<string, string> };

const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Answers with a page; its address holds a token, which no other site is to see. */
export function answerPage(page: string, status = 200): PageAnswer {
  return {
    page,
    status,
    headers: { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' },
  };
}
