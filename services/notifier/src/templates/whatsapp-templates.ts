import type { Language } from '@casewatch/contracts';

type Template = { readonly version: number; readonly body: Record<Language, string> };

/**
 * The texts that WhatsApp approves, as utility templates, word for word; `admin notifier templates` compares them with the
 * provider's. They do not begin or end with a variable, which WhatsApp refuses.
 */
export const whatsappTemplates = {
  /** 1: the title of the status, or what else changed; 2: the last four characters of the receipt number; 3: the address of the case. */
  status_update: {
    version: 3,
    body: {
      en: 'There is an update on your case …{{2}}: {{1}}. Sign in at {{3}} to see what to do. We are not USCIS. Reply STOP to get no more messages.',
      es: 'Hay una novedad en su caso …{{2}}: {{1}}. Inicie sesión en {{3}} para ver qué hacer. No somos USCIS. Responda BAJA para no recibir más mensajes.',
      pt: 'Há uma atualização no seu caso …{{2}}: {{1}}. Entre em {{3}} para ver o que fazer. Não somos o USCIS. Responda SAIR para não receber mais mensagens.',
    },
  },
  /** 1: the number of updates; 2: the address of the newest case. */
  status_digest: {
    version: 2,
    body: {
      en: 'There are {{1}} updates on your cases. Sign in at {{2}} to read them. We are not USCIS. Reply STOP to get no more messages.',
      es: 'Hay {{1}} novedades en sus casos. Inicie sesión en {{2}} para leerlas. No somos USCIS. Responda BAJA para no recibir más mensajes.',
      pt: 'Há {{1}} atualizações nos seus casos. Entre em {{2}} para ler. Não somos o USCIS. Responda SAIR para não receber mais mensagens.',
    },
  },
  /** The first message to a number, with a Stop button. Variables as in status_update. */
  first_update: {
    version: 4,
    body: {
      en: 'Hello. You will get messages here when the status of your immigration case changes. The first one, about case …{{2}}: {{1}}. Sign in at {{3}} to see what to do. We are not USCIS. If you do not want these messages, press Stop or reply STOP.',
      es: 'Hola. Aquí recibirá mensajes cuando cambie el estado de su caso de inmigración. El primero, sobre el caso …{{2}}: {{1}}. Inicie sesión en {{3}} para ver qué hacer. No somos USCIS. Si no quiere estos mensajes, toque el botón Baja o responda BAJA.',
      pt: 'Olá. Você vai receber mensagens aqui quando o status do seu caso de imigração mudar. A primeira, sobre o caso …{{2}}: {{1}}. Entre em {{3}} para ver o que fazer. Não somos o USCIS. Se não quiser estas mensagens, toque em Sair ou responda SAIR.',
    },
  },
} as const satisfies Record<string, Template>;

/** Keys of TWILIO_CONTENT_SIDS. */
export type TemplateKey = keyof typeof whatsappTemplates;

/** `status_update@2` */
export function templateName(key: TemplateKey): string {
  return `${key}@${whatsappTemplates[key].version}`;
}
