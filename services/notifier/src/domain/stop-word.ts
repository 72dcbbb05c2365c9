/** Twilio's words (twilio.com/docs/messaging/tutorials/advanced-opt-out) and the FCC's (47 CFR 64.1200(a)(10)). */
const englishStops = [
  ...['STOP', 'STOP ALL', 'QUIT', 'END', 'REVOKE', 'OPT OUT', 'CANCEL', 'UNSUBSCRIBE'],
  ...['EXIT', 'REMOVE', 'STOP MESSAGES'],
];
/** The same wishes in the languages of our messages. */
const spanishStops = [
  ...['BAJA', 'DAR DE BAJA', 'DARME DE BAJA', 'DARSE DE BAJA', 'ALTO', 'PARAR', 'PARA', 'PARE', 'PAREN'],
  ...['DETENER', 'DETENGA', 'DETÉNGASE', 'DETÉN', 'BASTA', 'FIN', 'FINALIZAR', 'TERMINAR', 'SALIR'],
  ...['CANCELAR', 'CANCELE', 'CANCELA', 'ANULAR', 'REVOCAR', 'DESUSCRIBIR', 'DESUSCRIBIRME', 'DESUSCRIBIRSE'],
  ...['CANCELAR SUSCRIPCIÓN', 'NO MÁS', 'NO MÁS MENSAJES'],
];
const portugueseStops = [
  ...['SAIR', 'PARAR', 'PARE', 'PAREM', 'CHEGA', 'FIM', 'ENCERRAR', 'TERMINAR', 'CANCELAR', 'CANCELE'],
  ...['REVOGAR', 'DESCADASTRAR', 'DESCADASTRE', 'DESINSCREVER', 'REMOVER', 'CANCELAR INSCRIÇÃO'],
  ...['NÃO QUERO MAIS', 'CHEGA DE MENSAGENS'],
];
/** Words of politeness around a stop word: `Baja, por favor` is `Baja`. Around a start word they count, since consent is plain. */
const courtesies = wordsOf([
  ...[
    'PLEASE',
    'PLS',
    'THANKS',
    'THANK',
    'YOU',
    'POR',
    'FAVOR',
    'GRACIAS',
    'MUCHAS',
    'OBRIGADO',
    'OBRIGADA',
    'MUITO',
  ],
]);
const startWords = wordsOf(['START', 'UNSTOP', 'YES', 'ALTA', 'INICIAR', 'VOLTAR']);
const stopWords = wordsOf([...englishStops, ...spanishStops, ...portugueseStops]);

/**
 * What a person asks for with a message or a button; null: something else. The whole message is the word, or repeats it:
 * a sentence that has the word in it says something else (`please cancel my appointment`).
 */
export function readStopWord(text: string): 'stop' | 'start' | null {
  const words = folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const plain = words.filter((word) => !courtesies.has(word));
  if (isEach(plain, stopWords)) return 'stop';
  return isEach(words, startWords) ? 'start' : null;
}

function isEach(words: readonly string[], wanted: ReadonlySet<string>): boolean {
  return words.length > 0 && (wanted.has(words.join('')) || words.every((word) => wanted.has(word)));
}

/** Written together: `opt-out`, `OptOut` and `S T O P` are the same words. */
function wordsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map((word) => folded(word).replaceAll(' ', '')));
}

/** Without case, accents, full-width forms, and what is not seen: telephones add marks of direction and joiners. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .toUpperCase();
}
