type Found = { sid: string; status: string; errorCode: number | null; body: string; createdAt: Date };

type Wanted = {
  /** Messages that belong to other notifications. */
  owned: ReadonlySet<string>;
  startedAt: Date;
  /** Twilio's list does not tell our id; where it tells the text, these stand in it. */
  variables: readonly string[];
};

/** A submission reaches Twilio within this of its start, ms; clocks may differ by `clockSkewMs`. */
const windowMs = 60_000;
const clockSkewMs = 5_000;

/** The message that an ambiguous submission made, if one of those found can be it: the oldest that nobody owns. */
export function pickSubmission<F extends Found>(found: readonly F[], wanted: Wanted): F | null {
  const from = wanted.startedAt.getTime() - clockSkewMs;
  const candidates = found.filter(({ sid, body, createdAt }) => {
    const at = createdAt.getTime();
    const fits = body === '' || wanted.variables.every((variable) => body.includes(variable));
    return !wanted.owned.has(sid) && fits && at >= from && at <= from + windowMs;
  });
  return candidates.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())[0] ?? null;
}
