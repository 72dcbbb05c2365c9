// JSON allows control characters only between its parts, where a space means the same.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const controlCharacters = /[\u0000-\u001f]/g;

/**
 * The events of a signed body, read leniently: the signature vouches for it, and one bad event must not cost the others.
 * Bytes that are no UTF-8 become U+FFFD, control characters become spaces, and of a key that comes twice the last counts.
 * An event that cannot be read is `undefined`. Null: the body has no events at all.
 */
export function readSignedEvents(bytes: Buffer): unknown[] | null {
  const text = new TextDecoder().decode(bytes).replace(controlCharacters, ' ').trim();
  const whole = parse(text);
  if (Array.isArray(whole)) return whole;
  if (typeof whole === 'object' && whole !== null) return [whole];
  return text.startsWith('[') ? elementsOf(text).map(parse) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The texts of the objects in an array, of which one is broken. */
function elementsOf(text: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  // A string, also one that does not end, or a bracket of an object.
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}]/g)) {
    if (token === '{') {
      if (depth === 0) start = index;
      depth += 1;
    } else if (token === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) elements.push(text.slice(start, index + 1));
    }
  }
  // What has no end.
  if (depth > 0) elements.push(text.slice(start));
  return elements;
}
