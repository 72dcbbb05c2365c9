import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Image {
  name: string;
  workspace: string;
}

/** A registry with its path, without a slash at the end, and a version. */
export interface Destination {
  registry: string;
  tag: string;
}

const SERVICES = join(import.meta.dirname, '../../../../services');

/** One image per service, the stand-ins, and the seed of a demo system. */
export function allImages(): Image[] {
  const folders = readdirSync(SERVICES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const services = folders.map(({ name }) => ({ name, workspace: name }));
  return [...services, { name: 'sandbox', workspace: 'sandbox' }, { name: 'seed', workspace: 'dev' }];
}

/** The named images, or all if no name is given. @throws Error that lists the images */
export function pickImages(names: readonly string[]): Image[] {
  const images = allImages();
  const unknown = names.filter((name) => !images.some((image) => image.name === name));
  if (unknown.length > 0) {
    const names = images.map(({ name }) => name).join(', ');
    throw new Error(`There is no image called ${unknown.join(', ')}; there are ${names}.`);
  }
  return names.length === 0 ? images : images.filter(({ name }) => names.includes(name));
}

/** From IMAGE_REGISTRY (empty: this machine's store) and IMAGE_TAG (default `dev`). */
export function destinationFrom(env: NodeJS.ProcessEnv): Destination {
  return { registry: (env.IMAGE_REGISTRY ?? '').replace(/\/+$/, ''), tag: env.IMAGE_TAG || 'dev' };
}

/** The full name, e.g. `casewatch/cases:dev` or `registry.example/team/casewatch/cases:1.4.0`. */
export function referenceOf({ name }: Image, { registry, tag }: Destination): string {
  return `${registry === '' ? '' : `${registry}/`}casewatch/${name}:${tag}`;
}
