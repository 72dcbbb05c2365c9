import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An image of another project; `variable` is like `MONGO_IMAGE`, `name` has no tag. */
export type LockedImage = { variable: string; name: string; tag: string; digest: string };

const FILE = join(import.meta.dirname, '../../../../deploy/images.Dockerfile');

/** The images of deploy/images.Dockerfile. @throws Error at a line without a digest */
export function lockedImages(text: string = readFileSync(FILE, 'utf8')): LockedImage[] {
  const lines = text.split('\n').filter((line) => /^FROM /i.test(line));
  return lines.map((line) => {
    // FROM <name>:<tag>@<digest> AS <stage>
    const match = /^FROM ([^\s:@]+):([^\s@]+)@(sha256:[0-9a-f]{64}) AS ([a-z]+)$/.exec(line);
    if (!match) throw new Error(`deploy/images.Dockerfile: no name, tag, digest and stage in: ${line}`);
    const [, name = '', tag = '', digest = '', stage = ''] = match;
    return { variable: `${stage.toUpperCase()}_IMAGE`, name, tag, digest };
  });
}

/** The full reference, e.g. `mongo:6@sha256:…`. @throws Error if the variable is unknown */
export function lockedReference(variable: string): string {
  const image = lockedImages().find((candidate) => candidate.variable === variable);
  if (!image) throw new Error(`deploy/images.Dockerfile names no image for ${variable}.`);
  return `${image.name}:${image.tag}@${image.digest}`;
}
