import type { NatsConnection } from '@nats-io/transport-node';
import { connectNats, type NatsAccess } from '../bus/nats-connection.ts';
import { pause } from '../timing/pause.ts';
import { type DeclarationLog, declareStreams } from './declare-streams.ts';

type Options = { access: NatsAccess; replicas: number; log: DeclarationLog };

export type StreamKeeper = {
  /** Whether everything was there, as declared, at the last look. */
  isDeclared(): boolean;
  stop(): Promise<void>;
};

/** How long NATS may take to be there at the start, ms: in a cluster everything starts at once. */
const patienceMs = 60_000;
const retryMs = 500;
/** A stream that was lost with its volumes is back within this time, ms. */
const lookMs = 5_000;

/**
 * Declares streams and consumers, and declares again what is lost later, until it is stopped.
 * @throws the last failure, if they are not declared within a minute
 */
export async function keepStreams(options: Options, signal?: AbortSignal): Promise<StreamKeeper> {
  const connection = await declareFirst(options, signal);
  const stopping = new AbortController();
  let isDeclared = true;

  const kept = (async () => {
    for (;;) {
      await pause(lookMs, stopping.signal);
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
      await kept;
    },
  };
}

async function declareFirst(
  options: Options,
  signal: AbortSignal = new AbortController().signal,
): Promise<NatsConnection> {
  const { access, log } = options;
  let connection: NatsConnection | undefined;
  for (const giveUpAt = performance.now() + patienceMs; ; ) {
    try {
      connection ??= await connectNats('streams', access, { waits: false });
      await declareStreams(connection, options);
      return connection;
    } catch (error) {
      if (signal.aborted || performance.now() > giveUpAt) {
        await connection?.close();
        throw error;
      }
      log.warn({ err: error }, 'streams not declared yet; trying again');
    }
    await pause(retryMs, signal);
  }
}
