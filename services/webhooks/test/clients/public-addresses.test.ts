import { describe, expect, it } from '@jest/globals';
import { BlockedAddressError, createPublicAddresses, NameError } from '../../src/clients/public-addresses.ts';
import { networksFrom } from '../../src/domain/networks.ts';

/** A DNS whose answers and whose clock the test turns. */
function turning(answers: string[], settings: Parameters<typeof networksFrom>[0] = {}) {
  const state = { answers, now: 0, asked: 0 };
  const addresses = createPublicAddresses({
    async resolve() {
      state.asked++;
      return state.answers;
    },
    networks: networksFrom(settings),
    allowLoopback: true,
    now: () => new Date(state.now),
  });
  return { state, addresses };
}

function connectsTo({ lookup }: ReturnType<typeof turning>['addresses'], host: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
  });
}

describe('public addresses', () => {
  it('lets a socket connect to what was judged, and never looks up again', async () => {
    const { state, addresses } = turning(['93.184.215.14', '2606:2800:21f:cb07::1']);
    await addresses.judgeHost('turning.example', 100);
    state.answers = ['127.0.0.1'];
    expect(await connectsTo(addresses, 'turning.example')).toEqual([
      { address: '93.184.215.14', family: 4 },
      { address: '2606:2800:21f:cb07::1', family: 6 },
    ]);
    expect(state.asked).toBe(1);
    await expect(connectsTo(addresses, 'other.example')).rejects.toThrow(NameError);
  });

  it('refuses a name that has turned to a bad address among good ones', async () => {
    const { state, addresses } = turning(['93.184.215.14']);
    await addresses.judgeHost('turning.example', 100);
    state.answers = ['93.184.215.14', '10.0.0.8'];
    state.now = 2_000;
    await expect(addresses.judgeHost('turning.example', 100)).rejects.toThrow(BlockedAddressError);
  });

  it('refuses a public name that leads to this machine, even where loopback is allowed', async () => {
    const { addresses } = turning(['127.0.0.1']);
    await expect(addresses.judgeHost('turning.example', 100)).rejects.toThrow(BlockedAddressError);
    await addresses.judgeHost('localhost', 100);
    expect(await connectsTo(addresses, 'localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
  });

  it('does not wait for a DNS that is silent', async () => {
    const silent = () => new Promise<string[]>(() => undefined);
    const addresses = createPublicAddresses({
      resolve: silent,
      networks: networksFrom(),
      allowLoopback: false,
      now: () => new Date(),
    });
    await expect(addresses.judgeHost('silent.example', 20)).rejects.toThrow(NameError);
  });
});

describe('the networks of the settings', () => {
  it('refuse a public address, when it is registered and at every attempt', async () => {
    const { state, addresses } = turning(['93.184.215.14'], { denied: ['93.184.215.0/24'] });
    await expect(addresses.judgeHost('own.example', 100)).rejects.toThrow(BlockedAddressError);
    state.answers = ['93.184.216.14'];
    await addresses.judgeHost('own.example', 100);
    state.answers = ['93.184.215.14'];
    state.now = 2_000;
    await expect(addresses.judgeHost('own.example', 100)).rejects.toThrow(BlockedAddressError);
  });

  it('open a private network, but never this machine', async () => {
    const { state, addresses } = turning(['10.20.0.8'], { allowed: ['10.20.0.0/16', '127.0.0.0/8'] });
    await addresses.judgeHost('inside.example', 100);
    expect(await connectsTo(addresses, 'inside.example')).toEqual([{ address: '10.20.0.8', family: 4 }]);
    state.answers = ['127.0.0.1'];
    state.now = 2_000;
    await expect(addresses.judgeHost('inside.example', 100)).rejects.toThrow(BlockedAddressError);
  });
});
