import { type Addresses, codePattern, inMail, mailsTo, until } from '@casewatch/driver';

export type PersonBrowser = ReturnType<typeof createPersonBrowser>;

type Fields = Record<string, string>;

/** A browser without script that keeps its cookies and follows no redirect. */
export function createPersonBrowser(at: Addresses, headers: Fields = {}) {
  const { origin } = new URL(at.gateway_url);
  const cookies = new Map<string, string>();

  async function ask(path: string, options: RequestInit = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(origin + path, {
      redirect: 'manual',
      ...options,
      headers: { accept: 'text/html', cookie, ...headers, ...options.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const { status } = response;
    const location = response.headers.get('location');
    return { status, headers: response.headers, location, text: await response.text() };
  }

  return {
    cookies,
    get: (path: string, more: Fields = {}) => ask(path, { headers: more }),
    /** A form with a file. */
    upload: (path: string, form: FormData) =>
      ask(path, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' }, body: form }),
    post: (path: string, fields: Fields, from: Fields = { 'sec-fetch-site': 'same-origin' }) =>
      ask(path, { method: 'POST', headers: from, body: new URLSearchParams(fields) }),
  };
}

type SignIn = { browser?: PersonBrowser; next?: string };

const signInTries = 3;

/** Signs in as a person does: address, code of the mail. After a 503 the person begins again: it may have used the code. */
export async function signInWithBrowser(
  at: Addresses,
  email: string,
  { browser = createPersonBrowser(at), next = '' }: SignIn = {},
) {
  for (let triesLeft = signInTries; ; triesLeft--) {
    const code = await codeFor(at, email, browser, next);
    const entered = await browser.post('/sign-in/code', { code });
    if (entered.status === 303 && browser.cookies.has('person')) return { browser, code, entered };
    if (entered.status !== 503 || triesLeft === 1)
      throw new Error(`the sign-in ended with ${entered.status}: ${entered.text}`);
  }
}

/** Asks for a code, after a 503 again, and waits for its mail. */
export async function codeFor(at: Addresses, email: string, browser: PersonBrowser, next = '') {
  const ask = async () => {
    const earlier = await codesSent(at, email);
    const { status, text } = await browser.post('/sign-in', { email, next });
    if (status !== 303 && status !== 503) throw new Error(`POST /sign-in answered ${status}: ${text}`);
    return status === 303 && { earlier };
  };
  const { earlier } = await until(ask, { what: 'a request for a code without 503' });
  return await inMail(at, email, codePattern, { nth: earlier });
}

/** How many mails with a code the person has. */
export async function codesSent(at: Addresses, email: string): Promise<number> {
  return (await mailsTo(at, email)).filter(({ text }) => codePattern.test(text ?? '')).length;
}
