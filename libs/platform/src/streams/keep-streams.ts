import type { NatsConnection } from '@nats-io/transport-node';
import { connectNats, type NatsAccess } from '../bus/nats-connection.ts';
import { pause } from '../timing/pause.ts';
import { type DeclarationLog, declareStreams } from './declare-streams.ts';

type Options = { access: NatsAccess; replicas: number; log: DeclarationLog };

export type StreamKeeper = {
  isDeclared(): boolean;
  stop(): Promise<void>;
};

/** How long to retry while NATS is not available at the start, ms. In a cluster everything starts at once. */
const startWithinMs = 60_000;
const retryMs = 500;
/** A stream that was lost with its volume is declared again within this time, ms. */
const checkMs = 5_000;

/** Declares lost streams and consumers again, until it is stopped. @throws the last failure after a minute */
export async function keepStreams(options: Options, signal?: AbortSignal): Promise<StreamKeeper> {
  const connection = await declareFirst(options, signal);
  const stopping = new AbortController();
  let isDeclared = true;

  const checking = (async () => {
    for (;;) {
      await pause(checkMs, stopping.signal);
      if (stopping.signal.aborted) return;
      try {
        await declareStreams(connection, options);
        isDeclared = true;
      } catch (error) {
        isDeclared = false;
        if (!stopping.signal.aborted) options.log.warn({ err: error }, 'streams not declared; trying again');
      }
    }
  })();

  return {
    isDeclared: () => isDeclared,
    async stop() {
      stopping.abort();
      await connection.close();
      await checking;
    },
  };
}

async function declareFirst(
  options: Options,
  signal: AbortSignal = new AbortController().signal,
): Promise<NatsConnection> {
  const { access, log } = options;
  let connection: NatsConnection | undefined;
  for (const giveUpAt = performance.now() + startWithinMs; ; ) {
    try {
      connection ??= await connectNats('streams', access, { waits: false });
      await declareStreams(connection, options);
      return connection;
    } catch (error) {
      if (signal.aborted || performance.now() > giveUpAt) {
        await connection?.close();
        throw error;
      }
      log.warn({ err: error }, 'streams not declared; trying again');
    }
    await pause(retryMs, signal);
  }
}
