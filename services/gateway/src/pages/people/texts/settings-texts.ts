import type { Language } from '@casewatch/contracts';

type Texts = {
  title: string;
  saved: string;
  messages: string;
  name: string;
  language: string;
  phone: string;
  phoneHint: string;
  email: string;
  whatsapp: string;
  save: string;
  address: string;
  addressNow(email: string): string;
  newAddress: string;
  newAddressHint: string;
  change: string;
  addressSent: string;
  addressSame: string;
};

/** Settings of a person. `whatsapp` is the text of version 2026-11 of the consent to WhatsApp messages. */
export const settingsTexts: Readonly<Record<Language, Texts>> = {
  en: {
    title: 'Settings',
    saved: 'Changes saved.',
    messages: 'You and your messages',
    name: 'Your name',
    language: 'Language of pages and messages',
    phone: 'Phone number',
    phoneHint: 'With the country code, for example +12025550123. Only needed for WhatsApp.',
    email: 'I want e-mails when something changes',
    whatsapp:
      'I want WhatsApp messages from Casewatch when something changes. I agree to get them at the phone number above.',
    save: 'Save',
    address: 'E-mail address',
    addressNow: (email) => `Your current address: ${email}`,
    newAddress: 'New e-mail address',
    newAddressHint: 'We send a link to it. Your address changes when you open the link and confirm.',
    change: 'Change the address',
    addressSent: 'We sent a link to the new address. Until you confirm there, your address stays the same.',
    addressSame: 'This is your address. If you asked for a change before, it will not be made.',
  },
  es: {
    title: 'Ajustes',
    saved: 'Cambios guardados.',
    messages: 'Usted y sus mensajes',
    name: 'Su nombre',
    language: 'Idioma de las páginas y los mensajes',
    phone: 'Número de teléfono',
    phoneHint: 'Con el código del país, por ejemplo +12025550123. Solo hace falta para WhatsApp.',
    email: 'Quiero recibir correos cuando algo cambie',
    whatsapp:
      'Quiero recibir mensajes de WhatsApp de Casewatch cuando algo cambie. Acepto recibirlos en el número de teléfono de arriba.',
    save: 'Guardar',
    address: 'Correo electrónico',
    addressNow: (email) => `Su dirección actual: ${email}`,
    newAddress: 'Nuevo correo electrónico',
    newAddressHint:
      'Enviamos un enlace a esa dirección. El cambio valdrá cuando usted abra el enlace y confirme.',
    change: 'Cambiar la dirección',
    addressSent:
      'Enviamos un enlace a la nueva dirección. Mientras no lo confirme, su dirección sigue siendo la misma.',
    addressSame: 'Esta es su dirección. Si había pedido un cambio, ya no se hará.',
  },
  pt: {
    title: 'Configurações',
    saved: 'Mudanças salvas.',
    messages: 'Você e as suas mensagens',
    name: 'Seu nome',
    language: 'Idioma das páginas e das mensagens',
    phone: 'Número de telefone',
    phoneHint: 'Com o código do país, por exemplo +12025550123. Só é necessário para o WhatsApp.',
    email: 'Quero receber e-mails quando algo mudar',
    whatsapp:
      'Quero receber mensagens de WhatsApp do Casewatch quando algo mudar. Concordo em recebê-las no número de telefone acima.',
    save: 'Salvar',
    address: 'E-mail',
    addressNow: (email) => `Seu endereço atual: ${email}`,
    newAddress: 'Novo e-mail',
    newAddressHint:
      'Enviamos um link para esse endereço. A mudança vale quando você abrir o link e confirmar.',
    change: 'Mudar o endereço',
    addressSent:
      'Enviamos um link para o novo endereço. Enquanto você não confirmar, o seu endereço continua o mesmo.',
    addressSame: 'Este é o seu endereço. Se você tinha pedido uma mudança, ela não será mais feita.',
  },
};
