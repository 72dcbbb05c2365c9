const stopWords = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'BAJA', 'PARAR', 'PARE', 'CANCELAR', 'SAIR']);
const startWords = new Set(['START', 'UNSTOP', 'ALTA', 'INICIAR', 'VOLTAR']);

/** What a person asks for with a message or a button; null: something else. */
export function readStopWord(text: string): 'stop' | 'start' | null {
  // Letters only: people add spaces, full stops and exclamation marks.
  const word = text
    .normalize('NFKC')
    .replace(/[^\p{L}]+/gu, '')
    .toUpperCase();
  if (stopWords.has(word)) return 'stop';
  return startWords.has(word) ? 'start' : null;
}
