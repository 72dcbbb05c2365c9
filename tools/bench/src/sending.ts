/** G9: how much of the government's rate is used, and that it and the day are never exceeded, while senders are killed and frozen. */
import { setTimeout as delay } from 'node:timers/promises';
import { newReceipt, received, setReceipt, tell, until } from '@casewatch/driver';
import { requestsOf } from './kit/changes.ts';
import { judge, numberOptions, say } from './kit/report.ts';
import { addWatchers, withSystem } from './kit/system.ts';

/** `rate`: requests a second that the government allows; `day`: requests that are left of the day in the second part. */
const { minutes, rate, day } = numberOptions({ minutes: 6, rate: 5, day: 300 });
/** Longer than the lease of a sender. */
const frozenMs = 22_000;
/** A longer pause is a take-over. */
const pauseMs = 2_000;
/** No request for so long: nothing more is sent. */
const quietMs = 40_000;
const patience = { timeoutMs: 120_000, intervalMs: 250 };

await withSystem(
  `sending: ${minutes} min at ${rate}/s`,
  { MONITOR_INTERVAL_SCALE: '0.000138' },
  async (system) => {
    const { dev } = system;
    // One refusal slows senders down for minutes, also later ones: here none is refused before the measuring.
    await tell(`${dev.uscis_url}/sandbox/limits`, { rate_per_second: 100_000 });
    // Each is due every 12 s at this scale: together more than the rate.
    const receipts = Array.from({ length: 30 * rate }, newReceipt);
    for (const receipt of receipts) await setReceipt(dev, receipt, received);
    await addWatchers(system, { receipts, perReceipt: 1 });
    await keepRate();
    await keepDay();

    function startMonitor(settings: Record<string, string> = {}) {
      return system.replaceMonitor({ USCIS_RATE_PER_SECOND: String(rate), ...settings });
    }

    /** Requests at the stand-in since its row `first`. */
    async function requestsSince(first: number) {
      return (await requestsOf(dev.uscis_url)).slice(first);
    }

    async function keepRate(): Promise<void> {
      const before = (await requestsSince(0)).length;
      const [first, second] = [await startMonitor(), await startMonitor()];
      const begun = async () => (await requestsSince(before)).length > rate;
      await until(begun, { ...patience, what: 'requests of a new sender' });
      await tell(`${dev.uscis_url}/sandbox/limits`, { rate_per_second: rate });
      const from = (await requestsSince(0)).length;
      const partMs = (minutes * 60_000) / 4;
      await delay(partMs);
      await first.end('SIGKILL');
      const third = await startMonitor();
      await delay(partMs);
      process.kill(second.pid, 'SIGSTOP');
      await delay(frozenMs);
      process.kill(second.pid, 'SIGCONT');
      await delay(partMs);
      await third.end('SIGKILL');
      await delay(partMs);
      const rows = await requestsSince(from);
      await second.end();

      const gaps = rows.slice(1).map(({ monotonic_ms }, i) => monotonic_ms - (rows[i]?.monotonic_ms ?? 0));
      const sending = gaps.filter((gap) => gap < pauseMs);
      const pauses = gaps.filter((gap) => gap >= pauseMs).map((gap) => `${(gap / 1_000).toFixed(1)} s`);
      const usedMs = sending.reduce((sum, gap) => sum + gap, 0);
      say(`${rows.length} requests; without a sender for ${pauses.join(', ') || 'no time'}`);
      judge('G9 share of the rate that is used', (sending.length * 1_000) / usedMs / rate, { atLeast: 0.94 });
      // The stand-in tolerates 5 %, as the government does.
      judge('G9 requests too early', gaps.filter((gap) => gap < 950 / rate).length, { atMost: 0 });
      judge('G9 requests refused', rows.filter(({ status }) => status === 429).length, { atMost: 0 });
    }

    async function keepDay(): Promise<void> {
      const counted = async () => (await requestsSince(0)).filter(({ status }) => status !== 429).length;
      const before = await counted();
      const settings = { USCIS_DAILY_BUDGET: String(before + day), MONITOR_INTERACTIVE_SHARE: '0' };
      const [first, second] = [await startMonitor(settings), await startMonitor(settings)];
      // A day this small stretches intervals so far that only first checks are due.
      const fresh = Array.from({ length: day * 2 }, newReceipt);
      for (const receipt of fresh) await setReceipt(dev, receipt, received);
      await addWatchers(system, {
        receipts: fresh,
        perReceipt: 1,
        caseFields: { first_check: 'deferred' },
      });
      await until(async () => (await counted()) > before + day / 4, {
        ...patience,
        what: 'a quarter of the day',
      });
      await first.end('SIGKILL');
      process.kill(second.pid, 'SIGSTOP');
      await startMonitor(settings);
      await delay(frozenMs);
      process.kill(second.pid, 'SIGCONT');
      let sent = await counted();
      for (let quietSince = Date.now(); Date.now() - quietSince < quietMs; await delay(1_000)) {
        const now = await counted();
        if (now !== sent) quietSince = Date.now();
        sent = now;
      }
      say(
        `of the last ${day} requests of the day ${sent - before} were sent; the others were lost with a process`,
      );
      judge('G9 requests beyond the day', Math.max(0, sent - before - day), { atMost: 0 });
    }
  },
);
