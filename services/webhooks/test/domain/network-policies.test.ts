import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { specialNetworks } from '../../src/domain/special-networks.ts';

const policies = join(import.meta.dirname, '../../../../deploy/k8s/components/network-policies');

// What may leave the cluster: the second line refuses what the first one refuses.
it.each(['webhooks', 'monitor', 'notifier'])(
  'the network policy of %s refuses every special IPv4 network',
  (name) => {
    const text = readFileSync(join(policies, `${name}.yaml`), 'utf8');
    const excepted = [...text.matchAll(/^ +- (\d+\.\d+\.\d+\.\d+\/\d+)$/gm)].map(([, network]) => network);
    const wanted = specialNetworks.filter(
      ({ network, verdict }) => verdict !== 'public' && !network.includes(':'),
    );
    expect(excepted).toEqual(wanted.map(({ network }) => network));
    expect(text).not.toContain('::/0');
  },
);
