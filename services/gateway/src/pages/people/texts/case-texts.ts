import type { Language, MonitoringState } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';

type Texts = {
  title: string;
  back: string;
  receipt: string;
  reference: string;
  now: string;
  /** Without a full stop, as `lastChecked`. */
  seen(when: Markup): Markup;
  meaning: string;
  toDo: string;
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
    reference: 'Reference',
    now: 'Status now',
    seen: (when) => html`We saw this on ${when}`,
    meaning: 'What this means',
    toDo: 'What to do',
    official: 'What USCIS says',
    officialInEnglish: null,
    explainedAbove: null,
    details: 'Details',
    earlier: 'Earlier statuses',
    kinds: {
      baseline: 'The status when this case was added here.',
      flap: 'USCIS shows this status again.',
    },
    changed: {
      text: 'The title of the status is the same as before. The text of USCIS changed.',
      history: 'The status is the same as before. The history at USCIS changed.',
      date: 'USCIS shows another date on which it received the case.',
    },
    newHistory: 'New in the history',
    history: 'History at USCIS',
    touched: (day) =>
      html`USCIS updated the date of its record on ${day}; what the record says did not change`,
    older: 'More earlier statuses',
    noStatusTitle: 'No status yet',
    noStatusText:
      'USCIS shows no status for this receipt number now. This can be normal: new numbers appear after some days, and USCIS does not show some cases online. Compare the number with your notice.',
    checks: 'How we check this case',
    monitoring: {
      watched: 'We check with USCIS regularly whether something changed.',
      not_found:
        'USCIS shows no case with this number at the moment. This can be normal and is not a decision. We check again regularly.',
      rejected: 'USCIS says that this number is not valid. Compare it with your notice.',
      paused: 'This case is paused. We do not check it, and we send you no messages about it.',
      overdue: 'Our last check is older than planned. The status may have changed since. We try again.',
    },
    lastChecked: (when) => html`Last check: ${when}`,
    notChecked: 'Not checked yet.',
    pause: 'Pause this case',
    resume: 'Check this case again',
    pauseNote:
      'Nothing changes at USCIS: your case and its deadlines go on, and we do not tell USCIS. You can resume at any time.',
    remove: 'Remove this case from my list',
    removeText:
      'This deletes the case and its history from this page. Nothing changes at USCIS: your case and its deadlines go on. You can add the case again later.',
    removeNow: 'Yes, remove it',
    added: 'The case is added. From now on we tell you when something changes.',
  },
  es: {
    title: 'Su caso',
    back: 'Mis casos',
    receipt: 'Número de recibo',
    reference: 'Referencia',
    now: 'Estado actual del caso',
    seen: (when) => html`Lo vimos el ${when}`,
    meaning: 'Qué significa',
    toDo: 'Qué hacer',
    official: 'Lo que dice USCIS',
    officialInEnglish: 'Estas son las palabras oficiales de USCIS, en inglés.',
    explainedAbove: 'Nuestra explicación en español está más arriba.',
    details: 'Detalles',
    earlier: 'Estados anteriores del caso',
    kinds: {
      baseline: 'El estado del caso cuando se agregó aquí.',
      flap: 'USCIS vuelve a mostrar este estado del caso.',
    },
    changed: {
      text: 'El título del estado del caso es el mismo que antes. Lo que cambió es el texto de USCIS.',
      history: 'El estado del caso es el mismo que antes. Lo que cambió es el historial en USCIS.',
      date: 'USCIS muestra otra fecha de recepción del caso.',
    },
    newHistory: 'Nuevo en el historial',
    history: 'Historial en USCIS',
    touched: (day) => html`USCIS actualizó la fecha de su registro el ${day}; lo que dice no cambió`,
    older: 'Más estados anteriores del caso',
    noStatusTitle: 'USCIS todavía no muestra ningún estado del caso',
    noStatusText:
      'USCIS no muestra ahora ningún estado del caso para este número de recibo. Puede ser normal: los números nuevos aparecen después de unos días, y algunos casos no aparecen en línea. Compare el número con su aviso.',
    checks: 'Cómo consultamos este caso',
    monitoring: {
      watched: 'Consultamos con regularidad el sistema de USCIS para ver si algo cambió.',
      not_found:
        'USCIS no muestra por ahora ningún caso con este número. Puede ser normal y no es una decisión. Seguimos consultando con regularidad.',
      rejected: 'USCIS dice que este número no es válido. Compárelo con su aviso.',
      paused: 'Este caso está en pausa. No lo consultamos ni le enviamos mensajes sobre él.',
      overdue:
        'Nuestra última consulta es más antigua de lo previsto. El estado del caso puede haber cambiado. Lo intentamos de nuevo.',
    },
    lastChecked: (when) => html`Última consulta: ${when}`,
    notChecked: 'Todavía no lo hemos consultado.',
    pause: 'Poner este caso en pausa',
    resume: 'Volver a consultar este caso',
    pauseNote:
      'En USCIS no cambia nada: su caso y sus plazos continúan, y no avisamos a USCIS. Puede reanudar las consultas en cualquier momento.',
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
    reference: 'Referência',
    now: 'Status atual',
    seen: (when) => html`Vimos isso em ${when}`,
    meaning: 'O que isso significa',
    toDo: 'O que fazer',
    official: 'O que diz o USCIS',
    officialInEnglish: 'Estas são as palavras oficiais do USCIS, em inglês.',
    explainedAbove: 'A nossa explicação em português está mais acima.',
    details: 'Detalhes',
    earlier: 'Status anteriores',
    kinds: {
      baseline: 'O status quando este caso foi adicionado aqui.',
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
    noStatusTitle: 'Ainda não há status',
    noStatusText:
      'O USCIS não mostra agora nenhum status para este número de recibo. Isso pode ser normal: números novos aparecem depois de alguns dias, e o USCIS não mostra alguns casos na internet. Compare o número com o seu aviso (carta) do USCIS.',
    checks: 'Como consultamos este caso',
    monitoring: {
      watched: 'Consultamos o sistema do USCIS regularmente para ver se algo mudou.',
      not_found:
        'O USCIS não mostra no momento nenhum caso com este número. Isso pode ser normal e não é uma decisão. Continuamos consultando.',
      rejected: 'O USCIS diz que este número não é válido. Compare com o seu aviso (carta) do USCIS.',
      paused: 'Este caso está em pausa. Não o consultamos e não enviamos mensagens sobre ele.',
      overdue:
        'A nossa última consulta é mais antiga do que o previsto. O status pode ter mudado. Estamos tentando de novo.',
    },
    lastChecked: (when) => html`Última consulta: ${when}`,
    notChecked: 'Ainda não consultamos este caso.',
    pause: 'Pausar este caso',
    resume: 'Voltar a consultar este caso',
    pauseNote:
      'Isso não muda nada no USCIS: o seu caso e os prazos continuam, e não avisamos o USCIS. Você pode retomar a qualquer momento.',
    remove: 'Tirar este caso da minha lista',
    removeText:
      'Isso apaga desta página o caso e o seu histórico. No USCIS nada muda: o seu caso e os prazos continuam. Você pode adicioná-lo de novo mais tarde.',
    removeNow: 'Sim, tirar',
    added: 'O caso foi adicionado. A partir de agora avisaremos quando algo mudar.',
  },
};
