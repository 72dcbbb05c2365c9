import type { Language } from '@casewatch/contracts';

/**
 * Our answer to a stop word, free text: the person has just written. It names the start word of its language, and `settings`,
 * the page on which the person switches WhatsApp on again. Both are needed.
 */
export const stopConfirmation: Record<Language, (settings: string) => string> = {
  en: (settings) =>
    `You will get no more WhatsApp messages from us. Your e-mails stay as they are. We are not USCIS. To start again, reply START here and turn on WhatsApp messages in your account: ${settings}`,
  es: (settings) =>
    `Ya no recibirá mensajes nuestros por WhatsApp. Sus correos electrónicos siguen igual. No somos USCIS. Si quiere volver a recibirlos, responda ALTA aquí y active los mensajes de WhatsApp en su cuenta: ${settings}`,
  pt: (settings) =>
    `Você não vai mais receber mensagens nossas pelo WhatsApp. Os seus e-mails continuam como estão. Não somos o USCIS. Se quiser voltar a receber, responda VOLTAR aqui e ative as mensagens de WhatsApp na sua conta: ${settings}`,
};
