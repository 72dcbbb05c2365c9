import { describe, expect, it } from '@jest/globals';
import { former, next, type Rotation, statusOf, usePepperRotation } from '../support/pepper-rings.ts';

let rotation: Rotation;
usePepperRotation((ready) => {
  rotation = ready;
});

describe('signing keys under a former pepper', () => {
  it('are sealed again when many replicas start at the same time', async () => {
    const { restart, start } = rotation;
    await restart(`${former} ${next}`);
    const ring = `${next} ${former}`;
    const [identity] = await Promise.all([start(ring), start(ring), start(ring)]);
    const { peppers } = await statusOf(identity, ring);
    expect(peppers.map(({ state, signing_keys }) => [state, signing_keys])).toEqual([
      ['current', 2],
      ['former', 0],
    ]);
  });
});
