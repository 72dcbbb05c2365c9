export type UrlJudgement = { url: URL } | { reason: string };

/** `ports`: of public endpoints; endpoints on loopback may use any port. */
export type UrlRules = { allowLoopback: boolean; ports: readonly number[] };

const maxLength = 2_048;
const maxHostLength = 253;

// The URL parser silently drops or rewrites these characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const ambiguous = /[\s\\\u0000-\u001f\u007f]/;

/** Rules that need no DNS. The URL parser turns `0x7f.1` and `2130706433` into addresses (webhooks.md, SSRF). */
export function judgeUrl(text: string, { allowLoopback, ports }: UrlRules): UrlJudgement {
  if (text.length > maxLength) return { reason: `it is longer than ${maxLength} characters` };
  if (ambiguous.test(text)) return { reason: 'it has spaces, control characters or backslashes' };
  if (!URL.canParse(text)) return { reason: 'it is not a valid URL' };
  const url = new URL(text);
  const isOwn = allowLoopback && isLoopbackHost(url.hostname);
  const reason = faultOf(url, text, isOwn) ?? (isOwn ? null : faultOfPort(url, ports));
  return reason === null ? { url } : { reason };
}

function faultOf(url: URL, text: string, loopbackAllowed: boolean): string | null {
  const isHttp = url.protocol === 'http:' && loopbackAllowed;
  if (url.protocol !== 'https:' && !isHttp) return 'it must begin with https://';
  if (url.username !== '' || url.password !== '' || hasUserinfo(text))
    return 'it must not contain a user name or password';
  if (text.includes('#')) return 'it must not have a fragment';
  if (url.hostname === '' || url.hostname.length > maxHostLength) return 'its host name is not valid';
  return url.href.length > maxLength ? `it is longer than ${maxLength} characters` : null;
}

function faultOfPort({ port }: URL, ports: readonly number[]): string | null {
  return ports.includes(Number(port || 443)) ? null : `only the ports ${ports.join(', ')} are allowed`;
}

/** The parsed URL does not show an empty user name (`https://@host/`). */
function hasUserinfo(text: string): boolean {
  return /^[a-z]+:\/*[^/?#]*@/i.test(text); // scheme, slashes, then an @ before the path begins
}

/** Names of this machine (RFC 6761 §6.3). */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(name)
  );
}
