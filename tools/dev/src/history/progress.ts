export type Say = (line: string) => void;

/** Longest silence of a command that works, ms. */
const everyMs = 5_000;

/** Says a line at most every five seconds, the first one after five; the others are dropped. */
export function sparingly(say: Say, now: () => number = Date.now): Say {
  let saidAt = now();
  return (line) => {
    if (now() - saidAt < everyMs) return;
    saidAt = now();
    say(line);
  };
}
