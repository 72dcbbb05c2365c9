/** The brake for changed words in many cases at once (monitor.md, "What counts as a change"). */
export type Brake = { isOn(): boolean; note(isDetails: boolean): void };

const answersJudged = 500;
const mostDetails = 50;

/**
 * On while more than a tenth of the last 500 answers with an unchanged title have other words. `isOn`: as a new sender finds
 * it, because the operator has not yet decided on held changes.
 */
export function createBrake(isOn: boolean): Brake {
  const recent: boolean[] = isOn ? Array.from({ length: mostDetails + 1 }, () => true) : [];
  let next = recent.length;
  let details = recent.length;
  return {
    isOn: () => details > mostDetails,
    note(isDetails) {
      details += Number(isDetails) - Number(recent[next % answersJudged] ?? false);
      recent[next % answersJudged] = isDetails;
      next += 1;
    },
  };
}
