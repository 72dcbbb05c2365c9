/** Whoever has read this repository knows a secret with this in it. */
const demoMark = 'demo-only';

/** A demo's key pair says so in its key id: `"kid":"demo-principal"`. */
const demoKeyId = /"kid"\s*:\s*"demo-/;

/** Fewest different characters; 32 random ones of base64 or hexadecimal practically never have fewer. */
const minDistinct = 8;

/** Written where a secret was still to come. */
const placeholders =
  /password|passw0rd|change.?me|placeholder|insecure|your.?secret|letmein|qwerty|12345678/i;

/**
 * Why a secret must not be used in production; undefined where nothing speaks against it. It is never quoted. How long
 * it must be is its setting's own rule.
 */
export function weaknessOf(secret: string): string | undefined {
  if (isDemoValue(secret)) return 'is a demo value, known to everybody';
  if (placeholders.test(secret)) return 'is a placeholder, not a secret';
  if (new Set(secret).size < minDistinct) return `has fewer than ${minDistinct} different characters`;
  // One block and nothing but repetitions of it.
  if (/^(.+?)\1+$/s.test(secret)) return 'repeats itself';
  if (isSequence(secret)) return 'is a sequence';
  return undefined;
}

/** Whether a text, the bytes it stands for in base64, or the key in it carries the demo's mark. */
export function isDemoValue(text: string): boolean {
  return text.includes(demoMark) || Buffer.from(text, 'base64').includes(demoMark) || demoKeyId.test(text);
}

/** `abcdefgh…`, `12345678…`: most characters are the next one after the one before. */
function isSequence(text: string): boolean {
  const codes = [...text].map((character) => character.charCodeAt(0));
  const steps = codes.filter((code, i) => i > 0 && Math.abs(code - (codes[i - 1] ?? 0)) === 1).length;
  return steps * 2 > codes.length;
}
