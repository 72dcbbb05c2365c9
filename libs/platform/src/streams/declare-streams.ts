import { isDeepStrictEqual } from 'node:util';
import { JetStreamApiError, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  type ConsumerDeclaration,
  consumerDeclarations,
  type StreamDeclaration,
  streamDeclarations,
} from './declarations.ts';

/** What is done and what fails goes there; a service's log will do. */
export type DeclarationLog = Record<'info' | 'warn', (fields: object, text: string) => void>;

const consumerNotFound = 10_014;
const streamNotFound = 10_059;

/** Each of these would have the server copy or send messages with its own rights; an update removes them. */
const copying = { sources: undefined, mirror: undefined, republish: undefined, subject_transform: undefined };
const pushing = { deliver_subject: undefined, filter_subject: undefined };

/**
 * Creates every stream and consumer of the registries that is missing, and updates each that differs from them. Run by
 * the user `streams`: services may do neither (docs/adr/0031).
 * @throws JetStreamApiError where the server refuses a change, as that of a stream's storage
 */
export async function declareStreams(
  connection: NatsConnection,
  { replicas, log }: { replicas: number; log: DeclarationLog },
): Promise<void> {
  const manager = await jetstreamManager(connection, { timeout: 5_000, checkAPI: false });
  const streams = streamDeclarations(replicas).map(async (stream) => {
    const done = await named(stream.name, () => declareStream(manager, stream));
    if (done) log.info({ stream: stream.name }, `stream ${done}`);
  });
  await Promise.all(streams);
  const consumers = consumerDeclarations().map(async (consumer) => {
    const name = consumer.config.durable_name;
    const done = await named(name, () => declareConsumer(manager, consumer));
    if (done) log.info({ consumer: name, stream: consumer.stream }, `consumer ${done}`);
  });
  await Promise.all(consumers);
}

type Done = 'created' | 'updated' | null;

async function declareStream(manager: JetStreamManager, wanted: StreamDeclaration): Promise<Done> {
  const info = await unlessMissing(manager.streams.info(wanted.name));
  if (!info) {
    await manager.streams.add(wanted);
    return 'created';
  }
  if (isAsWanted({ ...copying, ...wanted }, info.config)) return null;
  await manager.streams.update(wanted.name, { ...wanted, ...copying } as StreamDeclaration);
  return 'updated';
}

async function declareConsumer(
  manager: JetStreamManager,
  { stream, config }: ConsumerDeclaration,
): Promise<Done> {
  const info = await unlessMissing(manager.consumers.info(stream, config.durable_name));
  if (!info) {
    await manager.consumers.add(stream, config);
    return 'created';
  }
  if (isAsWanted({ ...pushing, ...config }, info.config)) return null;
  await manager.consumers.update(stream, config.durable_name, { ...config, ...pushing } as typeof config);
  return 'updated';
}

/** What is asked for, or null where JetStream does not know it. */
export async function unlessMissing<T>(info: Promise<T>): Promise<T | null> {
  try {
    return await info;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Whether JetStream says that it has no such stream or consumer. */
export function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && [consumerNotFound, streamNotFound].includes(error.code);
}

/** Compares what is declared; the server's own defaults, and what an operator has set beside it, stay. */
function isAsWanted(wanted: object, actual: object): boolean {
  const values = new Map<string, unknown>(Object.entries(actual));
  return Object.entries(wanted).every(([key, value]) =>
    isDeepStrictEqual(inOrder(values.get(key)), inOrder(value)),
  );
}

function inOrder(value: unknown): unknown {
  return Array.isArray(value) ? value.toSorted() : value;
}

/** JetStream's refusals do not say what was refused. */
async function named<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${name} could not be declared`, { cause: error });
  }
}
