import { describe, expect, it } from '@jest/globals';
import { createCircuit } from '../../src/domain/circuit.ts';

describe('the circuit of a channel', () => {
  it('pauses after a configuration fault, and longer after five', () => {
    const circuit = createCircuit(1);
    circuit.record('configuration', 0);
    expect([circuit.allows(9_999), circuit.allows(10_000)]).toEqual([false, true]);
    for (let i = 1; i < 5; i += 1) circuit.record('configuration', i * 10_000);
    expect([circuit.allows(69_999), circuit.allows(70_000)]).toEqual([false, true]);
  });

  it('opens after twenty transient failures in a row within a minute, and again after one more', () => {
    const circuit = createCircuit(1);
    for (let i = 0; i < 19; i += 1) circuit.record('transient', i * 1_000);
    expect(circuit.allows(18_000)).toBe(true);
    circuit.record('transient', 19_000);
    expect([circuit.allows(48_999), circuit.allows(49_000)]).toEqual([false, true]);
    circuit.record('transient', 49_000);
    expect([circuit.allows(78_999), circuit.allows(79_000)]).toEqual([false, true]);
  });

  it('stays closed where the failures are spread over more than a minute', () => {
    const circuit = createCircuit(1);
    for (let i = 0; i < 40; i += 1) circuit.record('transient', i * 4_000);
    expect(circuit.allows(160_000)).toBe(true);
  });

  it('closes with a success', () => {
    const circuit = createCircuit(1);
    for (let i = 0; i < 20; i += 1) circuit.record('transient', 0);
    circuit.record('accepted', 30_000);
    circuit.record('transient', 30_001);
    expect(circuit.allows(30_001)).toBe(true);
  });
});
