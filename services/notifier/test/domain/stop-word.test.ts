import { describe, expect, it } from '@jest/globals';
import { readStopWord } from '../../src/domain/stop-word.ts';

describe("a person's message", () => {
  it.each([
    ...['STOP', 'stop.', ' Baja ', 'PARAR!', 'Cancelar', 'sair'].map((text) => [text, 'stop'] as const),
    ...['START', 'start', 'Alta'].map((text) => [text, 'start'] as const),
    ...['please do not stop', 'thanks', '', '👍'].map((text) => [text, null] as const),
  ])('%j asks for %j', (text, wish) => {
    expect(readStopWord(text)).toBe(wish);
  });
});
