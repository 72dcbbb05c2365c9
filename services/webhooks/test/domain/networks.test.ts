import { describe, expect, it } from '@jest/globals';
import { judgeAddress } from '../../src/domain/judge-address.ts';
import { networksFrom } from '../../src/domain/networks.ts';
import { carriers, ipv4Value, ipv6Text } from '../support/address-forms.ts';

type Settings = { denied?: string[]; allowed?: string[] };
const isCalled = (address: string, settings: Settings) =>
  judgeAddress(address, networksFrom(settings)).kind === 'public';

describe('the most specific network decides', () => {
  const nested: Settings = {
    denied: ['93.0.0.0/8', '93.184.215.14', '2606::/16', '2606:4700:4700::1111'],
    allowed: ['93.184.0.0/16', '2606:4700::/32'],
  };

  it.each([
    ['93.1.2.3', false],
    ['93.184.1.2', true],
    ['93.184.215.14', false],
    ['94.1.2.3', true],
    ['2606:2800::1', false],
    ['2606:4700::1', true],
    ['2606:4700:4700::1111', false],
    ['2607::1', true],
  ])('%s: %s', (address, called) => expect(isCalled(address, nested)).toBe(called));

  it('a denied network beats an allowed one of the same size', () => {
    expect(isCalled('8.8.8.8', { denied: ['8.8.8.0/24'], allowed: ['8.8.8.0/24'] })).toBe(false);
  });

  it('an allowed network beats a special one of the same size, and opens none that is smaller', () => {
    expect(isCalled('10.1.2.3', { allowed: ['10.0.0.0/8'] })).toBe(true);
    const everything = { allowed: ['0.0.0.0/0', '::/0'] };
    for (const address of [
      '10.1.2.3',
      '169.254.169.254',
      '168.63.129.16',
      'fd00::1',
      'fe80::1',
      '64:ff9b::a00:1',
    ])
      expect([address, isCalled(address, everything)]).toEqual([address, false]);
  });

  it('no setting opens loopback, which WEBHOOKS_ALLOW_LOOPBACK alone does', () => {
    const networks = networksFrom({ allowed: ['127.0.0.1', '::1'] });
    expect(judgeAddress('127.0.0.1', networks).kind).toBe('loopback');
    expect(judgeAddress('::1', networks).kind).toBe('loopback');
    expect(judgeAddress('::ffff:127.0.0.1', networks).kind).toBe('refused');
  });
});

describe('forms that carry an IPv4 address', () => {
  it.each(Object.entries(carriers))('%s: denied and allowed as the address itself', (_form, carry) => {
    const inside = ipv6Text(carry(ipv4Value('93.184.215.14')));
    expect(isCalled(inside, {})).toBe(true);
    expect(isCalled(inside, { denied: ['93.184.215.0/24'] })).toBe(false);
    expect(isCalled(inside, { denied: ['93.184.0.0/16'], allowed: ['93.184.215.0/24'] })).toBe(true);
    expect(isCalled(ipv6Text(carry(ipv4Value('10.20.0.8'))), { allowed: ['10.20.0.0/16'] })).toBe(true);
  });

  it('a network in mapped notation is the IPv4 network, so a tie is a tie', () => {
    const denied = ['::ffff:93.184.215.0/120'];
    expect(isCalled('93.184.215.14', { denied })).toBe(false);
    expect(isCalled('93.184.215.14', { denied, allowed: ['93.184.215.0/24'] })).toBe(false);
    expect(isCalled('::ffff:93.184.215.14', { denied, allowed: ['93.184.215.0/24'] })).toBe(false);
    expect(isCalled('93.184.215.14', { denied, allowed: ['::ffff:93.184.215.14'] })).toBe(true);
    expect(
      isCalled('::ffff:93.184.215.14', { denied: ['93.184.215.14'], allowed: ['::ffff:93.184.215.14/128'] }),
    ).toBe(false);
  });

  it('a denied IPv6 network shuts them too; an allowed one opens nothing that they carry', () => {
    expect(isCalled('64:ff9b::8.8.8.8', { denied: ['64:ff9b::/96'] })).toBe(false);
    expect(isCalled('64:ff9b::10.0.0.1', { allowed: ['64:ff9b::/96'] })).toBe(false);
  });
});
