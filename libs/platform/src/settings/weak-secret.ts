/** Part of every secret in this repository. */
const demoMark = 'demo-only';

/** The key id of a demo key pair: `"kid":"demo-principal"`. */
const demoKeyId = /"kid"\s*:\s*"demo-/;

/** 32 random characters of base64 or hexadecimal practically never have fewer different ones. */
const minDistinct = 8;

const placeholders =
  /password|passw0rd|change.?me|placeholder|insecure|your.?secret|letmein|qwerty|12345678/i;

/** Why production must not use a secret, without the secret; undefined if it may. Its length is a rule of its setting. */
export function weaknessOf(secret: string): string | undefined {
  if (isDemoValue(secret)) return 'is a demo value, known to everybody';
  if (placeholders.test(secret)) return 'is a placeholder, not a secret';
  if (new Set(secret).size < minDistinct) return `has fewer than ${minDistinct} different characters`;
  // a block followed only by its repetitions
  if (/^(.+?)\1+$/s.test(secret)) return 'repeats itself';
  if (isSequence(secret)) return 'is a sequence';
  return undefined;
}

export function isDemoValue(text: string): boolean {
  return text.includes(demoMark) || Buffer.from(text, 'base64').includes(demoMark) || demoKeyId.test(text);
}

function isSequence(text: string): boolean {
  const codes = [...text].map((character) => character.charCodeAt(0));
  const steps = codes.filter((code, i) => i > 0 && Math.abs(code - (codes[i - 1] ?? 0)) === 1).length;
  return steps * 2 > codes.length;
}
