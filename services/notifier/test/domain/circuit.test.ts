import { describe, expect, it } from '@jest/globals';
import { type Circuit, createCircuit } from '../../src/domain/circuit.ts';
import type { Outcome } from '../../src/domain/outcome.ts';

const accepted: Outcome = { kind: 'accepted', provider_message_id: null };
const transient: Outcome = { kind: 'transient', error: 'smtp_451: later', counts: true };
const hanging: Outcome = { kind: 'ambiguous', error: 'smtp_etimedout: no answer' };
const configuration: Outcome = { kind: 'configuration', error: 'smtp_535: no' };
const refused: Outcome = { kind: 'permanent', error: 'smtp_550: 5.7.1 no', isPolicy: true };
const all = Number.POSITIVE_INFINITY;

function recordAt(circuit: Circuit, outcome: Outcome, nowMs: number, recipient = 'a') {
  return circuit.record(outcome, { nowMs, recipient });
}

describe('a circuit', () => {
  it('pauses after a configuration fault, and longer after five', () => {
    const circuit = createCircuit(1);
    recordAt(circuit, configuration, 0);
    expect([circuit.admits(9_999), circuit.admits(10_000)]).toEqual([0, 1]);
    for (let i = 1; i < 5; i += 1) recordAt(circuit, configuration, i * 10_000);
    expect([circuit.admits(69_999), circuit.admits(70_000)]).toEqual([0, 1]);
  });

  it.each([
    ['transient failures', transient],
    ['messages that hang', hanging],
  ])('opens after twenty %s in a row within a minute, and again after one more', (_, outcome) => {
    const circuit = createCircuit(1);
    for (let i = 0; i < 19; i += 1) recordAt(circuit, outcome, i * 1_000);
    expect(circuit.admits(18_000)).toBe(all);
    recordAt(circuit, outcome, 19_000);
    expect([circuit.admits(48_999), circuit.admits(49_000)]).toEqual([0, 1]);
    recordAt(circuit, outcome, 49_000);
    expect([circuit.admits(78_999), circuit.admits(79_000)]).toEqual([0, 1]);
  });

  it('is not opened by mails that waited for their turn, and takes another message as its probe', () => {
    const held: Outcome = { kind: 'held', error: 'smtp_turn: too long' };
    const circuit = createCircuit(1);
    for (let i = 0; i < 40; i += 1) recordAt(circuit, held, i);
    expect(circuit.admits(40)).toBe(all);
    recordAt(circuit, configuration, 1_000);
    circuit.started(11_000);
    expect(circuit.admits(11_001)).toBe(0);
    recordAt(circuit, held, 12_000);
    expect(circuit.admits(12_000)).toBe(1);
  });

  it('stays closed where the failures are spread over more than a minute', () => {
    const circuit = createCircuit(1);
    for (let i = 0; i < 40; i += 1) recordAt(circuit, transient, i * 4_000);
    expect(circuit.admits(160_000)).toBe(all);
  });

  it('lets one probe through, whose success closes it', () => {
    const circuit = createCircuit(1);
    for (let i = 0; i < 20; i += 1) recordAt(circuit, transient, 0);
    expect(circuit.admits(30_000)).toBe(1);
    circuit.started(30_000);
    expect(circuit.admits(30_001)).toBe(0);
    recordAt(circuit, accepted, 30_002);
    recordAt(circuit, transient, 30_003);
    expect(circuit.admits(30_003)).toBe(all);
  });

  it('forgets a probe that has no outcome', () => {
    const circuit = createCircuit(1);
    recordAt(circuit, configuration, 0);
    circuit.started(10_000);
    expect([circuit.admits(69_999), circuit.admits(70_000)]).toEqual([0, 1]);
  });

  it('takes ten different recipients in a row that are refused by policy for a fault of ours', () => {
    const circuit = createCircuit(1);
    for (let i = 0; i < 20; i += 1) expect(recordAt(circuit, refused, i, 'same')).toBe(refused);
    for (let i = 0; i < 8; i += 1) expect(recordAt(circuit, refused, i, `other ${i}`)).toBe(refused);
    expect(circuit.admits(20)).toBe(all);
    expect(recordAt(circuit, refused, 20, 'the tenth')).toMatchObject({ kind: 'configuration' });
    expect(circuit.admits(21)).toBe(0);
  });
});
