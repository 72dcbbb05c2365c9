import type { Language } from '@casewatch/contracts';

type Texts = {
  subject(count: number): string;
  heading: string;
  intro(count: number): string;
  asOf(day: string): string;
  dates: string;
  /** Beside the day: how many are left. */
  left(days: number): string;
  estimate: string;
  moreDates(count: number): string;
  unreviewed(count: number): string;
  unreachable: string;
  unreachableNote: string;
  /** A client whom the firm wants no mail to name. */
  client(number: number): string;
  moreClients(count: number): string;
  endpoints: string;
  failing(host: string, since: string): string;
  disabled(host: string, at: string): string;
  list: string;
};

/** What the digest of a member says beside `memberMailTexts`; a language without one of them does not compile. */
export const memberDigestTexts: Record<Language, Texts> = {
  en: {
    subject: (count) => `Your overview for today: ${count} open`,
    heading: 'Open today',
    intro: (count) =>
      count === 1
        ? 'One thing is open at your firm. To protect your clients, the details stand below this line, and not where a locked screen shows them.'
        : `${count} things are open at your firm. To protect your clients, the details stand below this line, and not where a locked screen shows them.`,
    asOf: (day) => `As of ${day}.`,
    dates: 'Answers due in the next 14 days',
    left: (days) => (days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`),
    estimate: 'our estimate; the notice counts',
    moreDates: (count) => (count === 1 ? 'One more answer is due.' : `${count} more answers are due.`),
    unreviewed: (count) => (count === 1 ? 'One change is not reviewed' : `${count} changes are not reviewed`),
    unreachable: 'Clients whom our messages do not reach',
    unreachableNote: 'Ask them for another address or number.',
    client: (number) => `User ${number}`,
    moreClients: (count) => (count === 1 ? 'One more client.' : `${count} more clients.`),
    endpoints: 'Endpoints that fail',
    failing: (host, since) => `${host}: every delivery has failed since ${since}.`,
    disabled: (host, at) => `${host}: disabled on ${at}.`,
    list: 'See all of them',
  },
  es: {
    subject: (count) => `Su resumen de hoy: ${count} por atender`,
    heading: 'Por atender hoy',
    intro: (count) =>
      count === 1
        ? 'Hay un asunto por atender en su firma. Para proteger a sus clientes, los detalles están debajo de esta línea, y no donde los muestra una pantalla bloqueada.'
        : `Hay ${count} asuntos por atender en su firma. Para proteger a sus clientes, los detalles están debajo de esta línea, y no donde los muestra una pantalla bloqueada.`,
    asOf: (day) => `Al ${day}.`,
    dates: 'Respuestas que vencen en los próximos 14 días',
    left: (days) => (days === 0 ? 'hoy' : days === 1 ? 'mañana' : `en ${days} días`),
    estimate: 'nuestro cálculo; la fecha que vale es la del aviso',
    moreDates: (count) => (count === 1 ? 'Vence una respuesta más.' : `Vencen ${count} respuestas más.`),
    unreviewed: (count) =>
      count === 1 ? 'Un cambio está sin revisar' : `${count} cambios están sin revisar`,
    unreachable: 'Clientes a quienes no llegan nuestros mensajes',
    unreachableNote: 'Pídales otra dirección u otro número.',
    client: (number) => `Usuario ${number}`,
    moreClients: (count) => (count === 1 ? 'Un cliente más.' : `${count} clientes más.`),
    endpoints: 'Endpoints que fallan',
    failing: (host, since) => `${host}: todas las entregas han fallado desde el ${since}.`,
    disabled: (host, at) => `${host}: desactivado el ${at}.`,
    list: 'Ver todos',
  },
  pt: {
    subject: (count) => `O seu resumo de hoje: ${count} em aberto`,
    heading: 'Em aberto hoje',
    intro: (count) =>
      count === 1
        ? 'Há um assunto em aberto no seu escritório. Para proteger os seus clientes, os detalhes estão abaixo desta linha, e não onde uma tela bloqueada os mostra.'
        : `Há ${count} assuntos em aberto no seu escritório. Para proteger os seus clientes, os detalhes estão abaixo desta linha, e não onde uma tela bloqueada os mostra.`,
    asOf: (day) => `Situação em ${day}.`,
    dates: 'Respostas com prazo nos próximos 14 dias',
    left: (days) => (days === 0 ? 'hoje' : days === 1 ? 'amanhã' : `em ${days} dias`),
    estimate: 'nossa estimativa; o que vale é o prazo do aviso',
    moreDates: (count) =>
      count === 1 ? 'Há mais uma resposta com prazo.' : `Há mais ${count} respostas com prazo.`,
    unreviewed: (count) =>
      count === 1 ? 'Uma mudança ainda não foi revisada' : `${count} mudanças ainda não foram revisadas`,
    unreachable: 'Clientes que as nossas mensagens não alcançam',
    unreachableNote: 'Peça a eles outro endereço ou outro número.',
    client: (number) => `Usuário ${number}`,
    moreClients: (count) => (count === 1 ? 'Mais um cliente.' : `Mais ${count} clientes.`),
    endpoints: 'Endpoints que falham',
    failing: (host, since) => `${host}: todas as entregas vêm falhando desde ${since}.`,
    disabled: (host, at) => `${host}: desativado em ${at}.`,
    list: 'Ver todos',
  },
};
