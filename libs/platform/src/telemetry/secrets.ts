import { serviceNames } from '@casewatch/contracts';

/** Shorter texts are parts of ordinary words, and a text without them could not be read. */
const minLength = 4;

const hidden = new Set<string>();
let pattern: RegExp | undefined;

/**
 * Makes `withoutSecrets` remove the value of a setting, in each form in which a library may print it. Called when the setting is
 * read, before anything can fail because of it.
 */
export function hideSecret(value: string): void {
  const before = hidden.size;
  for (const form of formsOf(value)) if (form.length >= minLength) hidden.add(form);
  if (hidden.size !== before) pattern = undefined;
}

/** A user and a password in an address; the rest of the address may be shown. */
export function hideCredentials(address: string): void {
  if (credentialsOf(address).length > 0) hideSecret(address);
}

/** A text for the log or the terminal, with `[redacted]` in place of all secrets that were read. */
export function withoutSecrets(text: string): string {
  if (hidden.size === 0) return text;
  // The longest first: a secret may begin with another one.
  pattern ??= new RegExp(
    [...hidden]
      .toSorted((a, b) => b.length - a.length)
      .map(escaped)
      .join('|'),
    'g',
  );
  return text.replace(pattern, '[redacted]');
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function formsOf(value: string): string[] {
  const lines = value.split('\n').filter((line) => !line.startsWith('-----'));
  const words = value.startsWith('-----BEGIN ') ? lines : value.split(/\s+/);
  const credentials = credentialsOf(value).flatMap(formsOfCredentials);
  return [value, ...words, ...privateMembers(value), ...secretOptions(value), ...credentials];
}

/** The user and password of an address. An address that is not encoded has more than one reading: its password may have a `/`. */
function credentialsOf(address: string): string[] {
  const [, rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/([\s\S]*)$/i.exec(address) ?? [];
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  return [rest, authority].flatMap((text) =>
    text.includes('@') ? text.slice(0, text.lastIndexOf('@')) : [],
  );
}

function formsOfCredentials(credentials: string): string[] {
  const [user = '', ...rest] = credentials.split(':');
  const password = rest.join(':');
  if (password === '') return [credentials];
  const pairs = [
    [user, password],
    [decoded(user), decoded(password)],
  ] as const;
  return pairs.flatMap(([name, word]) => [
    // A service's user often has the name of the service, which every line of the log shows.
    ...((serviceNames as readonly string[]).includes(name) ? [] : [name, ...base64(name)]),
    word,
    encodeURIComponent(word),
    ...base64(word),
    ...base64(`${name}:${word}`),
    // AUTH PLAIN of SMTP (RFC 4616)
    ...base64(`\0${name}\0${word}`),
  ]);
}

/** With and without padding. */
function base64(text: string): string[] {
  const forms = [Buffer.from(text).toString('base64'), Buffer.from(text).toString('base64url')];
  return forms.flatMap((form) => [form, form.replace(/=+$/, '')]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // has a % that encodes nothing
  }
}

/** Options of an address such as `tlsCertificateKeyFilePassword`, and tokens in `authMechanismProperties`. */
function secretOptions(address: string): string[] {
  const query = /^[a-z][a-z0-9+.-]*:\/\/[^?]*\?([\s\S]*)$/i.exec(address)?.[1] ?? '';
  const values = query.split('&').flatMap((option) => {
    const [, name = '', text = ''] = /^([^=]*)=([\s\S]*)$/.exec(option) ?? [];
    if (/password|secret/i.test(name)) return [text];
    return /^authmechanismproperties$/i.test(name) ? text.split(/[:,]|%3a|%2c/i).slice(1) : [];
  });
  return values.flatMap((text) => [text, decoded(text)]);
}

/** The private members of JSON Web Keys (RFC 7518 §6.2.2, §6.3.2, §6.4.1). */
function privateMembers(text: string): string[] {
  return [...text.matchAll(/"(?:d|p|q|dp|dq|qi|k)"\s*:\s*"([^"]+)"/g)].map(([, member = '']) => member);
}
