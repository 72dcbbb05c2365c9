/** npm run --silent images:locked: images of other projects by digest, as NAME=value, for $GITHUB_ENV and --env-file. */
import { lockedImages, lockedReference } from '../images/locked-images.ts';

for (const { variable } of lockedImages()) console.log(`${variable}=${lockedReference(variable)}`);
