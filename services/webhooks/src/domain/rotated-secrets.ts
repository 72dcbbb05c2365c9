type Secret = { sealed: string; ends_at: Date | null };

/** More than a partner needs; each live secret adds a signature to every request. */
const maxSecrets = 5;

/**
 * The secrets after a rotation, newest first. An older secret signs until `end`, or until it expires, if that is earlier.
 * So a second rotation never ends the secret that receivers still use, and an overlap of 0 ends all older ones.
 */
export function rotatedSecrets(
  old: readonly Secret[],
  { sealed, now, end }: { sealed: string; now: Date; end: Date },
): Secret[] {
  const older = old
    .map(({ sealed, ends_at }) => ({ sealed, ends_at: ends_at !== null && ends_at < end ? ends_at : end }))
    .filter(({ ends_at }) => ends_at > now);
  return [{ sealed, ends_at: null }, ...older].slice(0, maxSecrets);
}
