import { knownStatuses } from '@casewatch/contracts';
import { hooksOf, readJson, received, setReceipt, titled, until } from '@casewatch/driver';
import type { System } from './system.ts';

type LedgerRow = { time: string; receipt: string; status: number; monotonic_ms: number };
type Mail = { to: string; received_at: string };
/** A status that USCIS serves of a receipt from a moment on, ms since 1970. */
type Change = { receipt: string; title: string; atMs: number };
type Call = { headers: Record<string, string>; body: string; received_at: string };

/** Without the title that each receipt begins with: the same words changed in many cases at once are held for the operator (docs/adr/0041). */
const titles = knownStatuses()
  .map(({ en }) => en)
  .filter((title) => title !== received.text_en);
const patience = { timeoutMs: 240_000, intervalMs: 500 };

/** Changes receipts at the stand-in of USCIS, and reads from the stand-ins what came of it. */
export function createChanges({ dev }: System) {
  const served = new Map<string, number>();

  return {
    /** The next status of a receipt; none comes back, because a status that returns within a day is confirmed first. */
    async change(receipt: string): Promise<Change> {
      const place = served.get(receipt) ?? 0;
      served.set(receipt, place + 1);
      const title = titles[place];
      if (title === undefined) throw new Error(`${receipt} has no more statuses: choose fewer changes`);
      const atMs = Date.now();
      await setReceipt(dev, receipt, titled(title));
      return { receipt, title, atMs };
    },

    /**
     * When a check saw each change, ms since 1970; without those that no check saw before the next change. Waits for the last of each
     * receipt.
     */
    async seen(made: readonly Change[]): Promise<{ receipt: string; atMs: number }[]> {
      const find = async () => {
        const times = Map.groupBy(await requestsOf(dev.uscis_url), ({ receipt }) => receipt);
        return made.map(({ receipt, atMs }) => {
          const next = made.find((other) => other.receipt === receipt && other.atMs > atMs)?.atMs;
          const at = times
            .get(receipt)
            ?.map(({ time }) => Date.parse(time))
            .find((time) => time >= atMs);
          return {
            receipt,
            atMs: at !== undefined && at < (next ?? Number.POSITIVE_INFINITY) ? at : null,
            isLast: next === undefined,
          };
        });
      };
      const isOver = (found: Awaited<ReturnType<typeof find>>) =>
        found.every(({ atMs, isLast }) => atMs !== null || !isLast);
      const what = 'a check after each change';
      const found = await until(async () => (isOver(await find()) ? await find() : null), {
        ...patience,
        what,
      });
      return found.flatMap(({ receipt, atMs }) => (atMs === null ? [] : [{ receipt, atMs }]));
    },

    /** Waits until a hook of the receiver has so many calls. */
    async calls(hook: string, count: number): Promise<Call[]> {
      const what = `${count} calls of ${hook}`;
      return until(
        async () => {
          const calls = await hooksOf(dev, hook);
          return calls.length >= count && (calls as unknown as Call[]);
        },
        { ...patience, what },
      );
    },

    async mails(count: number): Promise<Mail[]> {
      const read = () => readJson<Mail[]>(`${dev.mail_url}/sandbox/mails`);
      return until(async () => ((await read()).length >= count ? await read() : null), {
        ...patience,
        // Every case is checked once in a round, at ten checks a second, and the machine has other work.
        timeoutMs: Math.max(patience.timeoutMs, count * 400),
        // A stand-in that writes thousands of mails has no time for the checks: it sees them late and together, and refuses them.
        intervalMs: Math.max(patience.intervalMs, count * 10),
        what: `${count} mails`,
      });
    },

    /** Forgets the calls of a hook, and all mails. */
    async forget(hook: string): Promise<void> {
      await readJson(`${dev.receiver_url}/sandbox/hooks/${hook}`, { method: 'DELETE' });
      await readJson(`${dev.mail_url}/sandbox/mails`, { method: 'DELETE' });
    },
  };
}

export function requestsOf(uscisUrl: string): Promise<LedgerRow[]> {
  return readJson<LedgerRow[]>(`${uscisUrl}/sandbox/requests`);
}
