import { isDeepStrictEqual } from 'node:util';
import { JetStreamApiError, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  type ConsumerDeclaration,
  consumerDeclarations,
  type StreamDeclaration,
  streamDeclarations,
} from './declarations.ts';

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
  const manager = await jetstreamManager(connection, { timeout: 5_000, checkAPI: false });
  const streams = streamDeclarations(replicas).map(async (stream) => {
    const change = await named(stream.name, () => declareStream(manager, stream));
    if (change) log.info({ stream: stream.name }, `stream ${change}`);
  });
  await Promise.all(streams);
  const consumers = consumerDeclarations().map(async (consumer) => {
    const name = consumer.config.durable_name;
    const change = await named(name, () => declareConsumer(manager, consumer));
    if (change) log.info({ consumer: name, stream: consumer.stream }, `consumer ${change}`);
  });
  await Promise.all(consumers);
}

type Change = 'created' | 'updated' | null;

async function declareStream(manager: JetStreamManager, declared: StreamDeclaration): Promise<Change> {
  const info = await nullIfNotFound(manager.streams.info(declared.name));
  if (!info) {
    await manager.streams.add(declared);
    return 'created';
  }
  if (hasValues(info.config, { ...copying, ...declared })) return null;
  await manager.streams.update(declared.name, { ...declared, ...copying } as StreamDeclaration);
  return 'updated';
}

async function declareConsumer(
  manager: JetStreamManager,
  { stream, config }: ConsumerDeclaration,
): Promise<Change> {
  const info = await nullIfNotFound(manager.consumers.info(stream, config.durable_name));
  if (!info) {
    await manager.consumers.add(stream, config);
    return 'created';
  }
  if (hasValues(info.config, { ...pushing, ...config })) return null;
  await manager.consumers.update(stream, config.durable_name, { ...config, ...pushing } as typeof config);
  return 'updated';
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

/** Adds the name to an error, because JetStream's errors do not have it. */
async function named<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${name} could not be declared`, { cause: error });
  }
}
