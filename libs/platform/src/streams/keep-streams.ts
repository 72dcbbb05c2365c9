import type { NatsConnection } from '@nats-io/transport-node';
import { connectNats } from '../bus/nats-connection.ts';
import type { NatsAccess } from '../settings/connection-settings.ts';
import { watchFirstConnection } from '../telemetry/first-connection.ts';
import { pause } from '../timing/pause.ts';
import { areDeclared, type DeclarationLog, declareStreams } from './declare-streams.ts';

type Options = { access: NatsAccess; replicas: number; log: DeclarationLog; state?: StreamState };

/** What the keeper has reached, also before it has declared all for the first time. */
export type StreamState = { isConnected: boolean; isDeclared: boolean };

export type StreamKeeper = {
  isDeclared(): boolean;
  stop(): Promise<void>;
};

/** How long to retry while NATS is not available at the start, ms. In a cluster everything starts at the same time. */
const startWithinMs = 60_000;
const retryMs = 500;
/** A stream that was lost with its volume is declared again within this time, ms. */
const checkMs = 5_000;
/** Every so many checks the declarations are compared too. */
const checksPerComparison = 12;

/** Declares lost streams and consumers again, until it is stopped. @throws the last failure after a minute */
export async function keepStreams(
  { access, replicas, log, state = { isConnected: false, isDeclared: false } }: Options,
  signal = new AbortController().signal,
): Promise<StreamKeeper> {
  const stopping = new AbortController();
  let connection: NatsConnection | undefined;

  async function follow(nats: NatsConnection): Promise<void> {
    state.isConnected = true;
    for await (const { type } of nats.status())
      if (type === 'disconnect' || type === 'staleConnection') state.isConnected = false;
      else if (type === 'reconnect') state.isConnected = true;
    state.isConnected = false;
  }

  async function check(isComparison: boolean): Promise<void> {
    if (!isComparison && state.isDeclared && connection && (await areDeclared(connection))) return;
    await declare();
  }

  async function declare(): Promise<void> {
    if (!connection) {
      connection = await connectNats('streams', access, { waits: false });
      void follow(connection);
    }
    await declareStreams(connection, { replicas, log });
    state.isDeclared = true;
  }

  function warn(error: unknown): void {
    state.isDeclared = false;
    if (!stopping.signal.aborted) log.warn({ err: error }, 'streams not declared; trying again');
  }

  const first = watchFirstConnection('nats', log);
  try {
    for (const giveUpAt = performance.now() + startWithinMs; !state.isDeclared; ) {
      try {
        await declare();
      } catch (error) {
        if (signal.aborted || performance.now() > giveUpAt) {
          await connection?.close();
          throw error;
        }
        first.failed(error);
        await pause(retryMs, signal);
      }
    }
  } finally {
    first.end();
  }

  const checking = (async () => {
    for (let checks = 1; ; checks++) {
      await pause(checkMs, stopping.signal);
      if (stopping.signal.aborted) return;
      await check(checks % checksPerComparison === 0).catch(warn);
    }
  })();

  return {
    isDeclared: () => state.isDeclared,
    async stop() {
      stopping.abort();
      await connection?.close();
      await checking;
    },
  };
}
