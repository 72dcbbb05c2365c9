import { isDeepStrictEqual } from 'node:util';
import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { consumerDeclarations, type StreamDeclaration, streamDeclarations } from './declarations.ts';

export type DeclarationLog = Record<'info' | 'warn', (fields: object, text: string) => void>;

const consumerNotFound = 10_014;
const streamNotFound = 10_059;

/** With these fields the server copies or sends messages with its own rights. An update removes them. */
const copying = { sources: undefined, mirror: undefined, republish: undefined, subject_transform: undefined };
const pushing = { deliver_subject: undefined, filter_subject: undefined };

/** Run by the NATS user `streams` (ADR 0031). @throws Error naming the stream or consumer that the server refuses */
export async function declareStreams(
  connection: NatsConnection,
  { replicas, log }: { replicas: number; log: DeclarationLog },
): Promise<void> {
  const { streams, consumers } = await jetstreamManager(connection, { timeout: 5_000, checkAPI: false });
  await Promise.all(
    streamDeclarations(replicas).map((config) =>
      declare(log, {
        kind: 'stream',
        name: config.name,
        config: { ...copying, ...config },
        info: () => streams.info(config.name),
        add: () => streams.add(config),
        update: () => streams.update(config.name, { ...config, ...copying } as StreamDeclaration),
      }),
    ),
  );
  await Promise.all(
    consumerDeclarations().map(({ stream, config }) =>
      declare(log, {
        kind: 'consumer',
        name: config.durable_name,
        config: { ...pushing, ...config },
        info: () => consumers.info(stream, config.durable_name),
        add: () => consumers.add(stream, config),
        update: () =>
          consumers.update(stream, config.durable_name, { ...config, ...pushing } as typeof config),
      }),
    ),
  );
}

/** Whether no stream and no consumer is missing: fewer requests than a comparison of every declaration. */
export async function areDeclared(connection: NatsConnection): Promise<boolean> {
  const { streams } = await jetstreamManager(connection, { timeout: 5_000, checkAPI: false });
  const expected = Map.groupBy(consumerDeclarations(), ({ stream }) => stream);
  const found = await Promise.all(
    streamDeclarations(1).map(async ({ name }) => {
      const info = await nullIfNotFound(streams.info(name));
      return info !== null && info.state.consumer_count >= (expected.get(name)?.length ?? 0);
    }),
  );
  return !found.includes(false);
}

type Declaration = {
  kind: 'stream' | 'consumer';
  name: string;
  config: object;
  info(): Promise<{ config: object }>;
  add(): Promise<unknown>;
  update(): Promise<unknown>;
};

async function declare(
  log: DeclarationLog,
  { kind, name, config, info, add, update }: Declaration,
): Promise<void> {
  try {
    const actual = await nullIfNotFound(info());
    if (actual && hasValues(actual.config, config)) return;
    await (actual ? update() : add());
    log.info({ [kind]: name }, `${kind} ${actual ? 'updated' : 'created'}`);
  } catch (error) {
    // JetStream's errors do not have the name.
    throw new Error(`${name} could not be declared`, { cause: error });
  }
}

export async function nullIfNotFound<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof JetStreamApiError && [consumerNotFound, streamNotFound].includes(error.code);
}

/** Compares the declared fields only: the server's defaults and an operator's own settings stay. */
function hasValues(actual: object, declared: object): boolean {
  const values = new Map<string, unknown>(Object.entries(actual));
  return Object.entries(declared).every(([key, value]) =>
    isDeepStrictEqual(sorted(values.get(key)), sorted(value)),
  );
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) ? value.toSorted() : value;
}
