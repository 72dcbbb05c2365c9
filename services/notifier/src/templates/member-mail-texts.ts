import type { Language, MonitoringState } from '@casewatch/contracts';

type Texts = {
  /** `urgent`: something in the mail is. */
  subject(count: number, urgent: boolean): string;
  heading(count: number): string;
  intro(count: number): string;
  urgent: string;
  due: string;
  /** Where the day of an answer comes from. */
  fromNotice: string;
  estimated: string;
  /** USCIS waits for an answer, and neither the firm nor we know until when. */
  noDay: string;
  says: string;
  means: string;
  before: string;
  receipt(masked: string): string;
  daysLeft(days: number): string;
  ifSent: string;
  monitoring: Readonly<Record<MonitoringState, string>>;
  open: string;
  more(count: number): string;
  moreLink: string;
  why: string;
  whyFirm(firm: string): string;
  lastResort(firm: string): string;
  settings: string;
  off: string;
};

/** What mails to members of a firm say in our own words; a language without one of them does not compile. */
export const memberMailTexts: Record<Language, Texts> = {
  en: {
    subject: (count, urgent) =>
      `${count} ${count === 1 ? 'update' : 'updates'} on your cases${urgent ? ': please read today' : ''}`,
    heading: (count) => (count === 1 ? 'An update on your cases' : 'Updates on your cases'),
    intro: (count) =>
      count === 1
        ? 'This e-mail has one update. To protect your clients, the details stand below this line, and not where a locked screen shows them.'
        : `This e-mail has ${count} updates, what is urgent first. To protect your clients, the details stand below this line, and not where a locked screen shows them.`,
    urgent: 'Urgent',
    due: 'Answer due',
    fromNotice: 'That is the deadline in the notice.',
    estimated: 'That is our estimate. The deadline in the notice is the one that counts; it may be earlier.',
    noDay:
      'USCIS waits for an answer, and we do not know the deadline. Read the notice, and enter its deadline in the console.',
    says: 'USCIS says',
    means: 'What this means',
    before: 'Before',
    receipt: (masked) => `Receipt number ending in ${masked}.`,
    daysLeft: (days) =>
      days === 0 ? 'Answer due today' : days === 1 ? 'Answer due tomorrow' : `Answer due in ${days} days`,
    ifSent: 'If it is sent, mark it as done.',
    monitoring: {
      not_found:
        'USCIS shows no case with this receipt number now. Compare the number with the notice. A new number can take some days to appear; we keep checking.',
      rejected:
        'USCIS says that this receipt number is not valid. Compare it with the notice. If it is mistyped, delete the case and add it again.',
      overdue:
        'We could not check this case as often as planned, so its status may have changed since. We keep trying. Until then, look at the website of USCIS.',
      paused: 'This case is paused: we do not check it.',
      watched: 'We check this case regularly again.',
    },
    open: 'Open the case',
    more: (count) =>
      count === 1 ? 'One more update is in the console.' : `${count} more updates are in the console.`,
    moreLink: 'See all of them',
    why: 'You are getting this e-mail because e-mails about the cases of your firm are turned on for you.',
    whyFirm: (firm) =>
      `You are getting this e-mail because you work at ${firm}, and e-mails about its cases are turned on for you.`,
    lastResort: (firm) =>
      `You are getting this e-mail because it is urgent and would reach nobody else at ${firm}.`,
    settings: 'Choose which e-mails you get',
    off: 'Stop these e-mails',
  },
  es: {
    subject: (count, urgent) =>
      `${count} ${count === 1 ? 'novedad' : 'novedades'} en sus casos${urgent ? ': léalo hoy, por favor' : ''}`,
    heading: (count) => (count === 1 ? 'Hay una novedad en sus casos' : 'Hay novedades en sus casos'),
    intro: (count) =>
      count === 1
        ? 'Este correo tiene una novedad. Para proteger a sus clientes, los detalles están debajo de esta línea, y no donde los muestra una pantalla bloqueada.'
        : `Este correo tiene ${count} novedades; lo urgente va primero. Para proteger a sus clientes, los detalles están debajo de esta línea, y no donde los muestra una pantalla bloqueada.`,
    urgent: 'Urgente',
    due: 'Fecha límite para responder',
    fromNotice: 'Es la fecha límite del aviso.',
    estimated: 'Es nuestro cálculo. La fecha límite que vale es la del aviso; puede ser anterior.',
    noDay:
      'USCIS espera una respuesta y no conocemos la fecha límite. Lea el aviso y anote esa fecha en la consola.',
    says: 'USCIS dice',
    means: 'Qué significa',
    before: 'Antes',
    receipt: (masked) => `Número de recibo que termina en ${masked}.`,
    daysLeft: (days) =>
      days === 0
        ? 'Hay que responder hoy'
        : days === 1
          ? 'Hay que responder mañana'
          : `Hay que responder en ${days} días`,
    ifSent: 'Si la respuesta ya se envió, márquela como hecha.',
    monitoring: {
      not_found:
        'USCIS no muestra por ahora ningún caso con este número de recibo. Compare el número con el aviso. Un número nuevo puede tardar unos días en aparecer; seguimos consultando.',
      rejected:
        'USCIS dice que este número de recibo no es válido. Compárelo con el aviso. Si está mal escrito, borre el caso y agréguelo de nuevo.',
      overdue:
        'No pudimos consultar este caso con la frecuencia prevista, y su estado puede haber cambiado. Seguimos intentándolo. Mientras tanto, consulte el sitio web de USCIS.',
      paused: 'Este caso está en pausa: no lo consultamos.',
      watched: 'Volvemos a consultar este caso con regularidad.',
    },
    open: 'Abrir el caso',
    more: (count) =>
      count === 1 ? 'Hay una novedad más en la consola.' : `Hay ${count} novedades más en la consola.`,
    moreLink: 'Ver todas',
    why: 'Usted recibe este correo porque los correos sobre los casos de su firma están activados para usted.',
    whyFirm: (firm) =>
      `Usted recibe este correo porque trabaja en ${firm} y los correos sobre sus casos están activados para usted.`,
    lastResort: (firm) => `Usted recibe este correo porque es urgente y no llegaría a nadie más en ${firm}.`,
    settings: 'Elegir qué correos recibe',
    off: 'Dejar de recibir estos correos',
  },
  pt: {
    subject: (count, urgent) =>
      `${count} ${count === 1 ? 'atualização' : 'atualizações'} nos seus casos${urgent ? ': leia hoje, por favor' : ''}`,
    heading: (count) =>
      count === 1 ? 'Há uma atualização nos seus casos' : 'Há atualizações nos seus casos',
    intro: (count) =>
      count === 1
        ? 'Este e-mail tem uma atualização. Para proteger os seus clientes, os detalhes estão abaixo desta linha, e não onde uma tela bloqueada os mostra.'
        : `Este e-mail tem ${count} atualizações; o que é urgente vem primeiro. Para proteger os seus clientes, os detalhes estão abaixo desta linha, e não onde uma tela bloqueada os mostra.`,
    urgent: 'Urgente',
    due: 'Prazo para a resposta',
    fromNotice: 'É o prazo escrito no aviso.',
    estimated: 'É a nossa estimativa. O prazo que vale é o do aviso; ele pode terminar antes.',
    noDay: 'O USCIS espera uma resposta, e não sabemos o prazo. Leia o aviso e anote o prazo no console.',
    says: 'O USCIS diz',
    means: 'O que isso significa',
    before: 'Antes',
    receipt: (masked) => `Número de recibo com final ${masked}.`,
    daysLeft: (days) =>
      days === 0
        ? 'O prazo para a resposta é hoje'
        : days === 1
          ? 'O prazo para a resposta é amanhã'
          : `O prazo para a resposta termina em ${days} dias`,
    ifSent: 'Se a resposta já foi enviada, marque como feita.',
    monitoring: {
      not_found:
        'O USCIS não mostra no momento nenhum caso com este número de recibo. Compare o número com o aviso. Um número novo pode levar alguns dias para aparecer; continuamos consultando.',
      rejected:
        'O USCIS diz que este número de recibo não é válido. Compare o número com o aviso. Se ele foi digitado errado, apague o caso e adicione de novo.',
      overdue:
        'Não conseguimos consultar este caso com a frequência prevista, e o status pode ter mudado depois. Continuamos tentando. Até lá, consulte o site do USCIS.',
      paused: 'Este caso está em pausa: não o consultamos.',
      watched: 'Voltamos a consultar este caso regularmente.',
    },
    open: 'Abrir o caso',
    more: (count) =>
      count === 1 ? 'Há mais uma atualização no console.' : `Há mais ${count} atualizações no console.`,
    moreLink: 'Ver todas',
    why: 'Você recebe este e-mail porque os e-mails sobre os casos do seu escritório estão ativados para você.',
    whyFirm: (firm) =>
      `Você recebe este e-mail porque trabalha em ${firm}, e os e-mails sobre os casos de lá estão ativados para você.`,
    lastResort: (firm) =>
      `Você recebe este e-mail porque ele é urgente e não chegaria a mais ninguém em ${firm}.`,
    settings: 'Escolher quais e-mails você recebe',
    off: 'Parar de receber estes e-mails',
  },
};
