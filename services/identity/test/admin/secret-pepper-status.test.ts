import { describe, expect, it } from '@jest/globals';
import { createMacs } from '../../src/credentials/macs.ts';
import { makePartner, runCommand } from '../support/people.ts';
import { former, next, type Rotation, usePepperRotation } from '../support/pepper-rings.ts';

let rotation: Rotation;
usePepperRotation((ready) => {
  rotation = ready;
});

describe('what still hangs on a pepper', () => {
  const formerId = createMacs([former]).id;

  it('is told to people by key and number, without anything secret', async () => {
    const identity = await rotation.restart(former);
    const partner = await makePartner(identity, 'Law Firm');
    const told = async (ring: string) => {
      const { code, out } = await runCommand(identity, ['secret-pepper', 'status'], { SECRET_PEPPER: ring });
      expect(code).toBe(0);
      for (const secret of [former, next, partner.api_secret, partner.api_key])
        expect(out).not.toContain(secret);
      return out.split('\n');
    };
    const lines = await told(`${next} ${former}`);
    expect(lines).toContainEqual(`${formerId}\tformer\tkeys 1\tsigning keys 2\tsecond factors 0\tsessions 0`);
    expect(lines.at(-2)).toMatch(/^key 1 of partner 1 \(.+\) needs one more use; last used never$/);
    expect(lines.at(-1)).toBe('A former pepper is still needed.');
    const dropped = await told(next);
    expect(dropped).toContainEqual(`${formerId}\tgone\tkeys 1\tsigning keys 0\tsecond factors 0\tsessions 0`);
    expect(dropped).toContainEqual('unknown\tgone\tkeys 0\tsigning keys 2\tsecond factors 0\tsessions 0');
  });
});
