import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** One image: its name, and the workspace (`@casewatch/<workspace>`) that it holds. */
export interface Image {
  name: string;
  workspace: string;
}

/** Where images go: a registry (with its trailing path, no slash at the end) and the version they get. */
export interface Destination {
  registry: string;
  tag: string;
}

const SERVICES = join(import.meta.dirname, '../../../../services');

/** Every image of the project: one per service, the stand-ins, and what fills a demo system. */
export function allImages(): Image[] {
  const folders = readdirSync(SERVICES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const services = folders.map(({ name }) => ({ name, workspace: name }));
  return [...services, { name: 'sandbox', workspace: 'sandbox' }, { name: 'seed', workspace: 'dev' }];
}

/** The images of these names, all without any. @throws Error naming what there is */
export function pickImages(names: readonly string[]): Image[] {
  const images = allImages();
  const unknown = names.filter((name) => !images.some((image) => image.name === name));
  if (unknown.length > 0) {
    const known = images.map(({ name }) => name).join(', ');
    throw new Error(`There is no image called ${unknown.join(', ')}; there are ${known}.`);
  }
  return names.length === 0 ? images : images.filter(({ name }) => names.includes(name));
}

/** Where images go, from IMAGE_REGISTRY (none: this machine's own store) and IMAGE_TAG (`dev`). */
export function destinationFrom(env: NodeJS.ProcessEnv): Destination {
  return { registry: (env.IMAGE_REGISTRY ?? '').replace(/\/+$/, ''), tag: env.IMAGE_TAG || 'dev' };
}

/** The full name, e.g. `casewatch/cases:dev` or `registry.example/team/casewatch/cases:1.4.0`. */
export function referenceOf({ name }: Image, { registry, tag }: Destination): string {
  return `${registry === '' ? '' : `${registry}/`}casewatch/${name}:${tag}`;
}
