import { type Addresses, keyHeaders, type PartnerKeys, succeed } from '@casewatch/driver';

export type Console = ReturnType<typeof consoleWith>;

type LinkOptions = { actor?: string; read_only?: boolean; expires_in?: number };

/** A link that opens the console, made with the partner's key. */
export async function consoleLink(
  at: Addresses,
  keys: PartnerKeys,
  options: LinkOptions = {},
): Promise<string> {
  const body = { actor: 'Test Person', ...options };
  const ask = { as: keyHeaders(keys), path: '/v1/client/console-links', body };
  return (await succeed<{ console_link: { url: string } }>(at, 'POST', ask)).console_link.url;
}

/** A browser without script: it has one cookie. */
export function consoleWith(at: Addresses, cookie: string) {
  const origin = new URL(at.gateway_url).origin;
  return {
    cookie,
    get: async (path: string) =>
      await read(fetch(origin + path, { headers: { cookie }, redirect: 'manual' })),
    post: async (
      path: string,
      fields: Record<string, string>,
      headers: Record<string, string> = { origin },
    ) =>
      await read(
        fetch(origin + path, {
          method: 'POST',
          headers: { cookie, ...headers },
          body: new URLSearchParams(fields),
          redirect: 'manual',
        }),
      ),
  };
}

/** Presses the button of the page that the link opens. @param before the cookie that the browser had */
export async function enterConsole(at: Addresses, link: string, before = ''): Promise<Console> {
  const token = new URL(link).searchParams.get('token') ?? '';
  const { headers } = await consoleWith(at, before).post('/console/enter', { token });
  return consoleWith(at, cookieOf(headers));
}

export function cookieOf(headers: Headers): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function read(answer: Promise<Response>) {
  const { status, headers, text } = await answer.then(async (response) => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  }));
  return { status, headers, text };
}
