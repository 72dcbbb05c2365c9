import { describe, expect, it } from '@jest/globals';
import { parseOptions, ROOT } from '../src/options.ts';

describe('parseOptions', () => {
  it('uses .data and port 4000 unless told otherwise', () => {
    expect(parseOptions([], {})).toEqual({
      dataDir: `${ROOT}/.data`,
      portBase: 4000,
      fresh: false,
      only: undefined,
      oneProcess: false,
    });
    const env = { PORT_BASE: '5000', CASEWATCH_DATA: '/some/dir' };
    expect(parseOptions(['--fresh', '--only', 'cases'], env)).toEqual({
      dataDir: '/some/dir',
      portBase: 5000,
      fresh: true,
      only: 'cases',
      oneProcess: false,
    });
  });

  it('starts as many processes of each service as it is told', () => {
    expect(parseOptions(['--replicas', '2'], { PORT_BASE: '65504' }).replicas).toBe(2);
    expect(() => parseOptions(['--replicas', '2'], { PORT_BASE: '65505' })).toThrow('1024 to 65504');
    for (const text of ['0', '5', '1.5', 'two', ''])
      expect(() => parseOptions(['--replicas', text], {})).toThrow('--replicas is a number from 1 to 4');
  });

  it('runs all services in one process, and then neither one of them alone nor several of each', () => {
    expect(parseOptions(['--one-process'], {}).oneProcess).toBe(true);
    for (const other of [
      ['--only', 'cases'],
      ['--replicas', '2'],
    ])
      expect(() => parseOptions(['--one-process', ...other], {})).toThrow('in one process');
  });

  it('says what is possible when something is wrong', () => {
    expect(() => parseOptions(['--only', 'mailer'], {})).toThrow('there are gateway, identity, cases');
    expect(() => parseOptions(['--quick'], {})).toThrow('--fresh');
    expect(() => parseOptions([], { PORT_BASE: '70000' })).toThrow(
      'PORT_BASE is a number from 1024 to 65516',
    );
    expect(() => parseOptions([], { NODE_ENV: 'production' })).toThrow(
      'does not run with NODE_ENV=production',
    );
  });
});
