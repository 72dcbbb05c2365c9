import { pause, type Running, watchFirstConnection } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** Pauses between two attempts, ms: a mail server may lock out who signs in wrongly again and again. */
const [firstPauseMs, longestPauseMs] = [5_000, 300_000];

/** Says at the start why the mail server cannot be used, until it accepted a connection and the password once. */
export function reachMailServer({ statusMailer, log }: Context): Running {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function reach(): Promise<void> {
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const server = watchFirstConnection('smtp', log);
      try {
        await Promise.race([statusMailer.verify(), aborted(signal)]);
        return;
      } catch (error) {
        if (!signal.aborted) server.failed(error);
      } finally {
        server.end();
      }
      await pause(pauseMs, signal);
    }
  }
  const reached = reach();
  return {
    async stop() {
      stopping.abort();
      await reached;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
