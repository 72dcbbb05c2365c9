import { ApiError } from '../errors.ts';
import { checkCharset } from './body-encoding.ts';

/** Accepts only UTF-8 (and ASCII) without duplicate keys and unpaired surrogates (interface.md, Small print). Undefined without a body. */
export function parseJson(bytes: Buffer, contentType = ''): unknown {
  checkCharset(contentType);
  return bytes.length === 0 ? undefined : parseStrictly(bytes);
}

export function parseStrictly(bytes: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    // The parser's message has parts of the body, which may be personal data.
    throw new ApiError('malformed_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('malformed_json', { message: 'The body must be a JSON object.' });
  }
  checkStrings(text);
  return value;
}

function checkStrings(text: string): void {
  // a JSON string, or a structural character of an object or array
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;
  const open: (Set<string> | null)[] = [];
  let expectsKey = false;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    if (token.startsWith('"')) {
      checkString(JSON.parse(token) as string, expectsKey ? open.at(-1) : null);
      expectsKey = false;
    } else {
      expectsKey = (token === '{' || token === ',') && open.at(-1) instanceof Set;
    }
  }
}

function checkString(value: string, keys: Set<string> | null | undefined): void {
  if (!value.isWellFormed())
    throw new ApiError('malformed_json', {
      message: 'A string has an unpaired surrogate (invalid Unicode).',
    });
  if (!keys) return;
  if (keys.has(value))
    throw new ApiError('malformed_json', { message: 'A JSON object has the same key twice.' });
  keys.add(value);
}
