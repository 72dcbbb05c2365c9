import type { Language, MonitoringState } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';

type Texts = {
  title: string;
  back: string;
  receipt: string;
  now: string;
  /** Without a full stop, as `lastChecked`. */
  seen(when: Markup): Markup;
  meaning: string;
  toDo: string;
  /** Saves the last day. */
  calendar: string;
  /** What the calendar then says: nothing of the status. */
  calendarEntry: string;
  official: string;
  /** Stands before official words in English; null in English. */
  officialInEnglish: string | null;
  /** Follows `officialInEnglish` where we have an explanation. */
  explainedAbove: string | null;
  details: string;
  earlier: string;
  kinds: { baseline: string; flap: string };
  /** Beside the status, where its title is the same as before. */
  changed: { text: string; history: string; date: string };
  newHistory: string;
  history: string;
  /** USCIS moved the date of its record, and nothing else. Without a full stop. */
  touched(day: Markup): Markup;
  older: string;
  noStatusTitle: string;
  noStatusText: string;
  checks: string;
  monitoring: Readonly<Record<MonitoringState, string>>;
  lastChecked(when: Markup): Markup;
  notChecked: string;
  pause: string;
  resume: string;
  pauseNote: string;
  pausedNow: string;
  resumedNow: string;
  remove: string;
  removeText: string;
  removeNow: string;
  added: string;
};

/** One case: its statuses in plain words. The words of statuses come from the status table. */
export const caseTexts: Readonly<Record<Language, Texts>> = {
  en: {
    title: 'Your case',
    back: 'My cases',
    receipt: 'Receipt number',
    now: 'Current status',
    seen: (when) => html`We saw this on ${when}`,
    meaning: 'What this means',
    toDo: 'What to do',
    calendar: 'Add this day to my calendar',
    calendarEntry: 'Reply to USCIS: see your case',
    official: 'What USCIS says',
    officialInEnglish: null,
    explainedAbove: null,
    details: 'Details',
    earlier: 'Earlier statuses',
    kinds: {
      baseline: 'This was the status when the case was added here.',
      flap: 'USCIS shows this status again.',
    },
    changed: {
      text: 'The title of the status is the same as before. The USCIS text changed.',
      history: 'The status is the same as before. The history at USCIS changed.',
      date: 'USCIS shows another date on which it received the case.',
    },
    newHistory: 'New in the history',
    history: 'History at USCIS',
    touched: (day) =>
      html`USCIS updated the date of its record on ${day}; what the record says did not change`,
    older: 'More earlier statuses',
    noStatusTitle: 'USCIS shows no status yet',
    noStatusText:
      'USCIS is not showing a status for this receipt number now. This can be normal: new numbers appear after a few days, and some cases do not appear online. Compare the number with your USCIS notice.',
    checks: 'How we check this case',
    monitoring: {
      watched: 'We check with USCIS regularly to see whether anything has changed.',
      not_found:
        'USCIS is not showing a case with this number now. This can be normal and is not a decision. We keep checking regularly.',
      rejected:
        'USCIS says that this number is not valid. This is not a decision on the case. Compare the number with your USCIS notice.',
      paused: 'This case is paused. We do not check it, and we send you no messages about it.',
      overdue:
        'We have not been able to check as often as planned. The status may have changed since our last check. We keep trying.',
    },
    lastChecked: (when) => html`Last check: ${when}`,
    notChecked: 'Not checked yet.',
    pause: 'Pause this case',
    resume: 'Check this case again',
    pauseNote:
      'Nothing changes at USCIS: your case and its deadlines continue, and we do not tell USCIS. You can start the checks again at any time.',
    pausedNow:
      'This case is paused now. We do not check it, and we send you no messages about it. USCIS deadlines still count.',
    resumedNow: 'We check this case again, and we will write to you when it changes.',
    remove: 'Remove this case from my list',
    removeText:
      'This deletes the case and its history from this page. Nothing changes at USCIS: your case and its deadlines continue. You can add the case again later.',
    removeNow: 'Yes, remove it',
    added: 'We added the case. From now on, we will tell you when something changes.',
  },
  es: {
    title: 'Su caso',
    back: 'Mis casos',
    receipt: 'Número de recibo',
    now: 'Estado actual del caso',
    seen: (when) => html`Lo vimos el ${when}`,
    meaning: 'Qué significa',
    toDo: 'Qué hacer',
    calendar: 'Agregar este día a mi calendario',
    calendarEntry: 'Responder a USCIS: vea su caso',
    official: 'Lo que dice USCIS',
    officialInEnglish: 'Estas son las palabras oficiales de USCIS, en inglés.',
    explainedAbove: 'Nuestra explicación en español está más arriba.',
    details: 'Detalles',
    earlier: 'Estados anteriores del caso',
    kinds: {
      baseline: 'Este era el estado del caso cuando se agregó aquí.',
      flap: 'USCIS vuelve a mostrar este estado del caso.',
    },
    changed: {
      text: 'El título del estado del caso es el mismo que antes. Lo que cambió es el texto oficial de USCIS.',
      history: 'El estado del caso es el mismo que antes. Lo que cambió es el historial en USCIS.',
      date: 'USCIS muestra otra fecha de recepción del caso.',
    },
    newHistory: 'Nuevo en el historial',
    history: 'Historial en USCIS',
    touched: (day) => html`USCIS actualizó la fecha de su registro el ${day}; lo que dice no cambió`,
    older: 'Más estados anteriores del caso',
    noStatusTitle: 'USCIS todavía no muestra ningún estado del caso',
    noStatusText:
      'USCIS no muestra ahora ningún estado del caso para este número de recibo. Puede ser normal: los números nuevos aparecen después de unos días, y algunos casos no aparecen en línea. Compare el número con su aviso de USCIS.',
    checks: 'Cómo consultamos este caso',
    monitoring: {
      watched: 'Consultamos con regularidad el sistema de USCIS para ver si algo cambió.',
      not_found:
        'USCIS no muestra por ahora ningún caso con este número. Puede ser normal y no es una decisión. Seguimos consultando con regularidad.',
      rejected:
        'USCIS dice que este número no es válido. No es una decisión sobre el caso. Compare el número con su aviso de USCIS.',
      paused: 'Este caso está en pausa. No lo consultamos ni le enviamos mensajes sobre él.',
      overdue:
        'No hemos podido consultar con la frecuencia prevista. El estado del caso puede haber cambiado desde nuestra última consulta. Seguimos intentándolo.',
    },
    lastChecked: (when) => html`Última consulta: ${when}`,
    notChecked: 'Todavía no lo hemos consultado.',
    pause: 'Pausar este caso',
    resume: 'Volver a consultar este caso',
    pauseNote:
      'En USCIS no cambia nada: su caso y sus plazos continúan, y no avisamos a USCIS. Puede reanudar las consultas en cualquier momento.',
    pausedNow:
      'Este caso quedó en pausa. No lo consultamos ni le enviamos mensajes sobre él. Los plazos de USCIS siguen corriendo.',
    resumedNow: 'Volvemos a consultar este caso y le escribiremos cuando cambie.',
    remove: 'Quitar este caso de mi lista',
    removeText:
      'Esto borra de esta página el caso y su historial. Su caso en USCIS no cambia, y sus plazos continúan. Puede volver a agregarlo más tarde.',
    removeNow: 'Sí, quitarlo',
    added: 'Agregamos el caso. A partir de ahora le avisaremos cuando algo cambie.',
  },
  pt: {
    title: 'Seu caso',
    back: 'Meus casos',
    receipt: 'Número de recibo (receipt number)',
    now: 'Status atual do caso',
    seen: (when) => html`Vimos isso em ${when}`,
    meaning: 'O que isso significa',
    toDo: 'O que fazer',
    calendar: 'Adicionar este dia à minha agenda',
    calendarEntry: 'Responder ao USCIS: veja o seu caso',
    official: 'O que diz o USCIS',
    officialInEnglish: 'Estas são as palavras oficiais do USCIS, em inglês.',
    explainedAbove: 'A nossa explicação em português está mais acima.',
    details: 'Detalhes',
    earlier: 'Status anteriores',
    kinds: {
      baseline: 'Este era o status quando o caso foi adicionado aqui.',
      flap: 'O USCIS mostra este status de novo.',
    },
    changed: {
      text: 'O título do status é o mesmo de antes. O que mudou é o texto do USCIS.',
      history: 'O status é o mesmo de antes. O que mudou é o histórico no USCIS.',
      date: 'O USCIS mostra outra data de recebimento do caso.',
    },
    newHistory: 'Novo no histórico',
    history: 'Histórico no USCIS',
    touched: (day) => html`O USCIS atualizou a data do registro em ${day}; o que o registro diz não mudou`,
    older: 'Mais status anteriores',
    noStatusTitle: 'O USCIS ainda não mostra nenhum status',
    noStatusText:
      'O USCIS não mostra agora nenhum status para este número de recibo. Isso pode ser normal: números novos aparecem depois de alguns dias, e alguns casos não aparecem na internet. Compare o número com o seu aviso (carta) do USCIS.',
    checks: 'Como consultamos este caso',
    monitoring: {
      watched: 'Consultamos o sistema do USCIS regularmente para ver se algo mudou.',
      not_found:
        'O USCIS não mostra no momento nenhum caso com este número. Isso pode ser normal e não é uma decisão. Continuamos consultando.',
      rejected:
        'O USCIS diz que este número não é válido. Isso não é uma decisão sobre o caso. Compare o número com o seu aviso (carta) do USCIS.',
      paused: 'Este caso está em pausa. Não o consultamos e não enviamos mensagens sobre ele.',
      overdue:
        'Não conseguimos consultar com a frequência prevista. O status pode ter mudado depois da nossa última consulta. Continuamos tentando.',
    },
    lastChecked: (when) => html`Última consulta: ${when}`,
    notChecked: 'Ainda não consultamos este caso.',
    pause: 'Pausar este caso',
    resume: 'Voltar a consultar este caso',
    pauseNote:
      'Isso não muda nada no USCIS: o seu caso e os prazos continuam, e não avisamos o USCIS. Você pode retomar as consultas a qualquer momento.',
    pausedNow:
      'Este caso agora está em pausa. Não o consultamos e não enviamos mensagens sobre ele. Os prazos do USCIS continuam valendo.',
    resumedNow: 'Voltamos a consultar este caso e vamos escrever para você quando ele mudar.',
    remove: 'Tirar este caso da minha lista',
    removeText:
      'Isso apaga desta página o caso e o seu histórico. No USCIS nada muda: o seu caso e os prazos continuam. Você pode adicioná-lo de novo mais tarde.',
    removeNow: 'Sim, tirar',
    added: 'O caso foi adicionado. A partir de agora avisaremos quando algo mudar.',
  },
};
