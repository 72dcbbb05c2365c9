/** What the manifests allow a process, read from the files that operators apply. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@casewatch/contracts';
import type mongoose from 'mongoose';

const manifests = join(import.meta.dirname, '../../../../deploy');
const ofOne = 'small/docker-compose.yml';
const ofPod = (service: ServiceName) => `k8s/base/${service}/deployment.yaml`;
const heap = /--max-old-space-size=(\d+)/;

function numberIn(file: string, pattern: RegExp): number {
  const found = pattern.exec(readFileSync(join(manifests, file), 'utf8'))?.[1];
  if (found === undefined) throw new Error(`${pattern} is not in ${file}`);
  return Number(found);
}

/** MiB that the pod of a service may have. */
export const limitOfPod = (service: ServiceName): number =>
  numberIn(ofPod(service), /limits:\s+(?:cpu: .*\s+)?memory: (\d+)Mi/);

/** MiB that a container of a small firm's machine may have. */
export const limitOfContainer = (name: string): number =>
  numberIn(ofOne, new RegExp(`^ {2}${name}:\\n(?:(?: {4}.*)?\\n)*? {4}mem_limit: (\\d+)m`, 'm'));

const withHeap = (mebibytes: number) => ({ NODE_OPTIONS: `--max-old-space-size=${mebibytes}` });

/** Without a limit V8 lets garbage lie until it has gigabytes. The smallest of the pods: none of the others gets more than its own. */
export const heapOfPods = withHeap(
  Math.min(...serviceNames.map((service) => numberIn(ofPod(service), heap))),
);
export const heapOfOne = withHeap(numberIn(ofOne, heap));

/** Gives a mongod the cache of that of a small firm; `npm start` gives it more. */
export async function setCacheOfOne(client: mongoose.mongo.MongoClient): Promise<void> {
  const cacheMiB = numberIn(ofOne, /--wiredTigerCacheSizeGB ([\d.]+)/) * 1_024;
  const wiredTigerEngineRuntimeConfig = `cache_size=${cacheMiB}M`;
  await client.db('admin').command({ setParameter: 1, wiredTigerEngineRuntimeConfig });
}
