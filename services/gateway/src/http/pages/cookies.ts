import type { Request, Response } from 'express';

/** `maxAgeS`: lifetime, seconds. */
export type Cookie = { readonly value: string; readonly maxAgeS: number };

export type Cookies = {
  read(req: Request, name: string): string | null;
  set(res: Response, name: string, cookie: Cookie): void;
  clear(res: Response, name: string): void;
};

/** Browsers accept a name with `__Host-` only over https, for this host alone (RFC 6265bis §4.1.3.2). */
export function createCookies(publicUrl: string): Cookies {
  const isHttps = publicUrl.startsWith('https:');
  const nameOf = (name: string) => (isHttps ? `__Host-${name}` : name);
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
  return {
    read: (req, name) => cookieOf(req, nameOf(name)),
    set: (res, name, { value, maxAgeS }) => {
      res.append(
        'set-cookie',
        `${nameOf(name)}=${value}; Max-Age=${Math.max(0, Math.floor(maxAgeS))}; ${attributes}`,
      );
    },
    clear: (res, name) => {
      res.append('set-cookie', `${nameOf(name)}=; Max-Age=0; ${attributes}`);
    },
  };
}

/** The values that we set need no decoding. */
export function cookieOf(req: Request, name: string): string | null {
  for (const pair of (req.get('cookie') ?? '').split(';')) {
    const [key = '', ...rest] = pair.split('=');
    if (key.trim() === name) return rest.join('=').trim() || null;
  }
  return null;
}
