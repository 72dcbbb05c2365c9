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
    details: 'Details',
    earlier: 'Earlier statuses',
    kinds: {
      baseline: 'The status when this case was added here.',
      flap: 'USCIS shows this status again.',
    },
    changed: {
      text: 'The title of the status is the same as before. Its text changed.',
      history: 'The status is the same as before. Its history changed.',
      date: 'USCIS shows another date on which it received the case.',
    },
    newHistory: 'New in the history',
    history: 'History at USCIS',
    touched: (day) => html`USCIS touched its record on ${day}, and what it says did not change`,
    older: 'More earlier statuses',
    noStatusTitle: 'No status yet',
    noStatusText:
      'USCIS shows no status for this receipt number now. This can be normal: new numbers appear after some days, and USCIS does not show some cases online. Compare the number with your notice.',
    checks: 'How we check this case',
    monitoring: {
      watched: 'We ask USCIS regularly whether something changed.',
      not_found: 'USCIS shows no case with this number at the moment. We ask again regularly.',
      rejected: 'USCIS says that this number is not valid. Compare it with your notice.',
      paused: 'This case is paused. We do not check it, and we send you no messages about it.',
      overdue: 'Our last check is older than planned. The status may have changed since. We try again.',
    },
    lastChecked: (when) => html`Last check: ${when}`,
    notChecked: 'Not checked yet.',
    pause: 'Pause this case',
    resume: 'Check this case again',
    pauseNote: 'You can resume at any time. Your case itself does not change, and we do not tell USCIS.',
    remove: 'Remove this case',
    removeText:
      'This deletes the case and its history from this page. Your case with USCIS does not change. You can add the case again later.',
    removeNow: 'Yes, remove it',
    added: 'The case is added. From now on we tell you when something changes.',
  },
  es: {
    title: 'Su caso',
    back: 'Mis casos',
    receipt: 'Número de recibo',
    reference: 'Referencia',
    now: 'Estado actual',
    seen: (when) => html`Lo vimos el ${when}`,
    meaning: 'Qué significa',
    toDo: 'Qué hacer',
    official: 'Lo que dice USCIS',
    officialInEnglish:
      'USCIS no publica este texto en español. Estas son sus palabras oficiales, en inglés. Nuestra explicación está más arriba.',
    details: 'Detalles',
    earlier: 'Estados anteriores',
    kinds: {
      baseline: 'El estado cuando se agregó este caso aquí.',
      flap: 'USCIS vuelve a mostrar este estado.',
    },
    changed: {
      text: 'El título del estado es el mismo que antes. Su texto cambió.',
      history: 'El estado es el mismo que antes. Su historial cambió.',
      date: 'USCIS muestra otra fecha de recepción del caso.',
    },
    newHistory: 'Nuevo en el historial',
    history: 'Historial en USCIS',
    touched: (day) => html`USCIS tocó su registro el ${day}, y lo que dice no cambió`,
    older: 'Más estados anteriores',
    noStatusTitle: 'Todavía no hay estado',
    noStatusText:
      'USCIS no muestra ahora ningún estado para este número de recibo. Puede ser normal: los números nuevos aparecen después de unos días, y USCIS no muestra algunos casos en línea. Compare el número con su aviso.',
    checks: 'Cómo consultamos este caso',
    monitoring: {
      watched: 'Preguntamos a USCIS con regularidad si algo cambió.',
      not_found:
        'USCIS no muestra por ahora ningún caso con este número. Seguimos preguntando con regularidad.',
      rejected: 'USCIS dice que este número no es válido. Compárelo con su aviso.',
      paused: 'Este caso está en pausa. No lo consultamos ni le enviamos mensajes sobre él.',
      overdue:
        'Nuestra última consulta es más antigua de lo previsto. El estado puede haber cambiado. Lo intentamos de nuevo.',
    },
    lastChecked: (when) => html`Última consulta: ${when}`,
    notChecked: 'Todavía no lo hemos consultado.',
    pause: 'Poner este caso en pausa',
    resume: 'Volver a consultar este caso',
    pauseNote: 'Puede reanudarlo en cualquier momento. Su caso no cambia y no avisamos a USCIS.',
    remove: 'Eliminar este caso',
    removeText:
      'Esto borra de esta página el caso y su historial. Su caso en USCIS no cambia. Puede volver a agregarlo más tarde.',
    removeNow: 'Sí, eliminarlo',
    added: 'El caso está agregado. A partir de ahora le avisaremos cuando algo cambie.',
  },
  pt: {
    title: 'Seu caso',
    back: 'Meus casos',
    receipt: 'Número de recibo',
    reference: 'Referência',
    now: 'Status atual',
    seen: (when) => html`Vimos isto em ${when}`,
    meaning: 'O que isso significa',
    toDo: 'O que fazer',
    official: 'O que diz o USCIS',
    officialInEnglish:
      'O USCIS não publica este texto em português. Estas são as palavras oficiais, em inglês. A nossa explicação está mais acima.',
    details: 'Detalhes',
    earlier: 'Status anteriores',
    kinds: {
      baseline: 'O status quando este caso foi adicionado aqui.',
      flap: 'O USCIS mostra este status de novo.',
    },
    changed: {
      text: 'O título do status é o mesmo de antes. O texto mudou.',
      history: 'O status é o mesmo de antes. O histórico mudou.',
      date: 'O USCIS mostra outra data de recebimento do caso.',
    },
    newHistory: 'Novo no histórico',
    history: 'Histórico no USCIS',
    touched: (day) => html`O USCIS mexeu no registro em ${day}, e o que ele diz não mudou`,
    older: 'Mais status anteriores',
    noStatusTitle: 'Ainda não há status',
    noStatusText:
      'O USCIS não mostra agora nenhum status para este número de recibo. Isso pode ser normal: números novos aparecem depois de alguns dias, e o USCIS não mostra alguns casos na internet. Compare o número com a sua notificação.',
    checks: 'Como consultamos este caso',
    monitoring: {
      watched: 'Perguntamos ao USCIS regularmente se algo mudou.',
      not_found: 'O USCIS não mostra no momento nenhum caso com este número. Continuamos a perguntar.',
      rejected: 'O USCIS diz que este número não é válido. Compare com a sua notificação.',
      paused: 'Este caso está em pausa. Não o consultamos e não enviamos mensagens sobre ele.',
      overdue:
        'A nossa última consulta é mais antiga do que o previsto. O status pode ter mudado. Estamos tentando de novo.',
    },
    lastChecked: (when) => html`Última consulta: ${when}`,
    notChecked: 'Ainda não consultamos este caso.',
    pause: 'Pausar este caso',
    resume: 'Voltar a consultar este caso',
    pauseNote: 'Você pode retomar a qualquer momento. O seu caso não muda, e não avisamos o USCIS.',
    remove: 'Remover este caso',
    removeText:
      'Isto apaga desta página o caso e o seu histórico. O seu caso no USCIS não muda. Você pode adicioná-lo de novo mais tarde.',
    removeNow: 'Sim, remover',
    added: 'O caso foi adicionado. A partir de agora avisaremos quando algo mudar.',
  },
};
