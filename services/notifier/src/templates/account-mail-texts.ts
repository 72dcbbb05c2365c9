import type { Language, PartnerSetting } from '@casewatch/contracts';

type Texts = {
  login_code: {
    subject: string;
    heading: string;
    code: string;
    validity(minutes: number): string;
    unasked: string;
  };
  verify_email: {
    subject: string;
    heading: string;
    intro: string;
    button: string;
    validity: string;
    unasked: string;
  };
  /** To an address without an account: somebody typed it on the front page. */
  welcome: {
    subject: string;
    heading: string;
    intro: string;
    button: string;
    validity: string;
    unasked: string;
  };
  /** Its button and validity are those of `verify_email`. */
  verify_reminder: {
    subject: string;
    heading: string;
    intro: string;
    unasked: string;
  };
  address_changed: {
    subject: string;
    heading: string;
    intro: string;
    button: string;
    validity: string;
    asked: string;
  };
  address_taken: {
    subject: string;
    heading: string;
    intro: string;
    next: string;
    unasked: string;
  };
  confirm_new_address: {
    subject: string;
    heading: string;
    intro: string;
    button: string;
    validity: string;
    unasked: string;
  };
  address_change_asked: {
    subject: string;
    heading: string;
    intro: string;
    button: string;
    validity: string;
    asked: string;
  };
  staff_invitation: {
    subject: string;
    heading: string;
    intro: string;
    button: string;
    validity: string;
    unasked: string;
  };
  staff_signed_in: {
    subject: string;
    heading: string;
    intro: string;
    button: string;
    validity: string;
    unasked: string;
  };
  settings_changed: {
    subject: string;
    heading: string;
    intro(settings: string): string;
    button: string;
    validity: string;
    unasked: string;
  };
  /** Names of settings within a sentence. */
  settingNames: Readonly<Record<PartnerSetting, string>>;
  second_factor_changed: {
    button: string;
    /** What to do if it was not the reader. */
    unasked: string;
    on: ChangeTexts;
    off: ChangeTexts;
    reset: ChangeTexts;
    recovery_code_used: ChangeTexts;
  };
  confirm_reply_to: {
    subject: string;
    heading: string;
    intro(partner: string): string;
    button: string;
    validity: string;
    unasked(partner: string): string;
    why(partner: string): string;
  };
  /** To the owners; `day`: the last one on which the deletion can be undone. */
  partner_deletion: {
    subject: string;
    heading: string;
    intro(day: string): string;
    meanwhile: string;
    unasked(day: string): string;
  };
  disclaimer: string;
  /** In the mails to people of a partner; each takes its name. */
  ofPartner: {
    verifyHeading(partner: string): string;
    /** True also where the partner's mails reach addresses that nobody confirmed (`notify_unverified`), as the next one. */
    verifyIntro(partner: string): string;
    verifyUnasked(partner: string): string;
    reminderIntro(partner: string): string;
    /** Why the reader gets the mail. */
    why(partner: string): string;
    inviteHeading(partner: string): string;
    inviteIntro(partner: string): string;
    inviteUnasked(partner: string): string;
    /** Why a member of the partner's staff gets the mail. */
    whyStaff(partner: string): string;
  };
};

type ChangeTexts = {
  subject: string;
  intro: string;
  /** `codesLeft`: recovery codes that still work. */
  next(codesLeft: number): string;
};

/** Everything the mails about an account say; a language without one of them does not compile. */
export const accountMailTexts: Record<Language, Texts> = {
  en: {
    login_code: {
      subject: 'Your sign-in code',
      heading: 'Your sign-in code',
      code: 'Enter this code on the page where you are signing in:',
      validity: (minutes) =>
        minutes === 1
          ? 'You can use it once, within one minute.'
          : `You can use it once, within ${minutes} minutes.`,
      unasked: 'If you did not ask for this code, ignore this e-mail. Never give the code to anyone.',
    },
    verify_email: {
      subject: 'Please confirm your e-mail address',
      heading: 'Please confirm your e-mail address',
      intro:
        'Open this link and press the button on the page, so that we can send you updates about your case:',
      button: 'Confirm address',
      validity: 'The link works for 48 hours.',
      unasked:
        'If you did not expect this e-mail, ignore it. Without your confirmation, we will not send updates to this address.',
    },
    welcome: {
      subject: 'Welcome to Casewatch',
      heading: 'Open your Casewatch account',
      intro:
        'This address has no account yet. To open one and follow your case with USCIS, open this link and press the button on the page:',
      button: 'Open my account',
      validity: 'The link works once, for 24 hours. It costs nothing, and you do not need a password.',
      unasked:
        'If you did not ask for this, ignore this e-mail. Without you, no account is opened and we write nothing more.',
    },
    verify_reminder: {
      subject: 'Please confirm your e-mail address',
      heading: 'Your address is not confirmed yet',
      intro:
        'You do not get updates about your case yet. To get them, open this link and press the button on the page:',
      unasked:
        'If you did not expect this e-mail, ignore it. Without your confirmation, we will not send updates to this address.',
    },
    address_changed: {
      subject: 'Your e-mail address was changed',
      heading: 'Your e-mail address was changed',
      intro:
        'From now on, we send your e-mails to another address. If you did not make this change, undo it here:',
      button: 'Undo the change',
      validity: 'The link works for 7 days.',
      asked: 'If you made this change, you do not need to do anything.',
    },
    address_taken: {
      subject: 'You already have an account',
      heading: 'You already have an account',
      intro:
        'Someone, probably you, tried to use this e-mail address for an account. This address already has an account. Nothing was changed.',
      next: 'You do not need a new account. Ask for a sign-in code with this address.',
      unasked: 'If it was not you, ignore this e-mail.',
    },
    confirm_new_address: {
      subject: 'Please confirm this e-mail address for an account',
      heading: 'Please confirm this e-mail address for an account',
      intro:
        'Someone asked to use this e-mail address for an existing account. If it was you, open this link and press the button on the page:',
      button: 'Confirm address',
      validity: 'The link works for 48 hours. We also sent an e-mail to the current address of the account.',
      unasked: 'If you did not ask for this, ignore this e-mail. The account will keep its current address.',
    },
    address_change_asked: {
      subject: 'Another e-mail address for your account',
      heading: 'Another e-mail address for your account',
      intro:
        'Someone who is signed in to your account asked to change its e-mail address. If it was not you, open this link and stop the change:',
      button: 'Stop the change',
      validity: 'The link works until the new address is confirmed, for 7 days at most.',
      asked:
        'If it was you, open the link that we sent to the new address. Your account keeps this address until you confirm the new one.',
    },
    staff_invitation: {
      subject: 'Invitation to Casewatch',
      heading: 'You are invited to Casewatch',
      intro:
        'Your organization wants you to work with its cases in Casewatch. To accept, open this link and press the button on the page:',
      button: 'Accept the invitation',
      validity: 'The link works once, for 7 days.',
      unasked:
        'What members do in Casewatch is recorded for one year. If you did not expect this e-mail, ignore it.',
    },
    staff_signed_in: {
      subject: 'A new sign-in to Casewatch',
      heading: 'A new sign-in to Casewatch',
      intro:
        'Someone, probably you, signed in with this address from a network or a browser that you have not used in the last 30 days. Your sign-ins are in the settings:',
      button: 'See where I am signed in',
      validity: 'If it was you, you do not need to do anything.',
      unasked: 'If it was not you, sign out everywhere on that page, and tell an owner of your organization.',
    },
    settings_changed: {
      subject: 'Settings of your organization were changed',
      heading: 'Settings of your organization were changed',
      intro: (settings) =>
        `These settings of your organization were changed in Casewatch: ${settings}. See them here:`,
      button: 'See the settings',
      validity: 'If somebody of your organization changed them, you do not need to do anything.',
      unasked: 'If not, change them back, remove the member who did it, and look at the activity.',
    },
    settingNames: {
      logo_url: 'the logo',
      reply_to: 'the reply-to address',
      support_contact: 'the support contact',
      case_url: 'the link to a case',
      time_zone: 'the time zone',
      calendar_addresses: 'whether staff may have calendar addresses',
      names_in_mails: 'whether e-mails to staff name clients',
      new_member_alerts: 'the alerts of new members',
      second_factor: 'who needs a second factor',
    },
    second_factor_changed: {
      button: 'See my second factor',
      unasked:
        'If it was not you, tell an owner of your organization now: somebody else can read your e-mails.',
      on: {
        subject: 'Your second factor is on',
        intro:
          'From now on, you sign in to Casewatch with a code from an e-mail and a code from your authenticator app. The second factor is in the settings:',
        next: (codesLeft) =>
          `You have ${codesLeft} recovery codes, for a day without the app. Earlier ones no longer work.`,
      },
      off: {
        subject: 'Your second factor is off',
        intro:
          'From now on, you sign in to Casewatch with a code from an e-mail alone. The second factor is in the settings:',
        next: () => 'If it was you, you do not need to do anything.',
      },
      reset: {
        subject: 'Your second factor was removed',
        intro:
          'An owner of your organization, or the operator of Casewatch, removed your second factor. You are signed out everywhere. At the next sign-in, you can set up another one:',
        next: () => 'If you asked for this, you do not need to do anything else.',
      },
      recovery_code_used: {
        subject: 'A recovery code was used',
        intro:
          'Someone, probably you, signed in to Casewatch with a recovery code in place of the authenticator app. The second factor is in the settings:',
        next: (codesLeft) =>
          codesLeft === 0
            ? 'You have no recovery code left: set up the second factor again to get new ones.'
            : codesLeft === 1
              ? 'You have 1 recovery code left. To get new ones, set up the second factor again.'
              : `You have ${codesLeft} recovery codes left. To get new ones, set up the second factor again.`,
      },
    },
    confirm_reply_to: {
      subject: 'Please confirm this reply-to address',
      heading: 'Please confirm this reply-to address',
      intro: (partner) =>
        `${partner} wants answers of its clients to e-mails from Casewatch to come to this address. If this is right, open this link and press the button on the page:`,
      button: 'Confirm address',
      validity: 'The link works for 48 hours.',
      unasked: (partner) =>
        `If you do not know ${partner}, ignore this e-mail. Without your confirmation nothing comes to this address.`,
      why: (partner) => `You get this e-mail because ${partner} entered this address in Casewatch.`,
    },
    partner_deletion: {
      subject: 'Your organization is being deleted from Casewatch',
      heading: 'Your organization is being deleted from Casewatch',
      intro: (day) =>
        `All data of your organization in Casewatch will be erased on ${day}: clients and cases, members, keys, endpoints, settings and activity.`,
      meanwhile:
        'From now on, members cannot sign in, API keys do not work, and webhooks wait. Until that day your clients get their updates as before.',
      unasked: (day) =>
        `Until ${day} everything can be restored. If your organization did not ask for this, tell the operator of Casewatch before that day.`,
    },
    disclaimer: 'We are not USCIS or any other part of the government.',
    ofPartner: {
      verifyHeading: (partner) => `${partner} asks you to confirm your e-mail address`,
      verifyIntro: (partner) =>
        `${partner} wants to send you updates about your case through Casewatch. So that they reach you, please confirm that this is your address: open this link and press the button on the page:`,
      verifyUnasked: (partner) => `If you do not know ${partner}, ignore this e-mail.`,
      reminderIntro: (partner) =>
        `${partner} wants to send you updates about your case, and you do not get them yet. To get them, open this link and press the button on the page:`,
      why: (partner) =>
        `You get this e-mail because ${partner} uses Casewatch to send you updates about your case.`,
      inviteHeading: (partner) => `${partner} invites you to Casewatch`,
      inviteIntro: (partner) =>
        `${partner} wants you to work with its cases in Casewatch. To accept, open this link and press the button on the page:`,
      inviteUnasked: (partner) =>
        `What members do in Casewatch is recorded for one year. If you do not work with ${partner}, ignore this e-mail.`,
      whyStaff: (partner) => `You get this e-mail because ${partner} works with Casewatch.`,
    },
  },
  es: {
    login_code: {
      subject: 'Su código de acceso',
      heading: 'Su código de acceso',
      code: 'Escriba este código en la pantalla donde está iniciando sesión:',
      validity: (minutes) =>
        minutes === 1
          ? 'Sirve una sola vez, durante un minuto.'
          : `Sirve una sola vez, durante ${minutes} minutos.`,
      unasked: 'Si usted no pidió este código, ignore este correo. Nunca le dé este código a nadie.',
    },
    verify_email: {
      subject: 'Confirme su dirección de correo electrónico',
      heading: 'Confirme su dirección de correo electrónico',
      intro:
        'Abra este enlace y toque el botón de la página, para que podamos enviarle las novedades de su caso:',
      button: 'Confirmar correo electrónico',
      validity: 'El enlace sirve durante 48 horas.',
      unasked:
        'Si no esperaba este correo, ignórelo. Sin su confirmación, no enviaremos novedades a esta dirección.',
    },
    welcome: {
      subject: 'Le damos la bienvenida a Casewatch',
      heading: 'Abra su cuenta de Casewatch',
      intro:
        'Esta dirección todavía no tiene una cuenta. Para abrir una y seguir su caso en USCIS, abra este enlace y toque el botón de la página:',
      button: 'Abrir mi cuenta',
      validity: 'El enlace sirve una sola vez, durante 24 horas. No cuesta nada y no necesita contraseña.',
      unasked:
        'Si usted no lo pidió, ignore este correo. Sin usted no se abre ninguna cuenta y no le escribiremos más.',
    },
    verify_reminder: {
      subject: 'Confirme su dirección de correo electrónico',
      heading: 'Su dirección todavía no está confirmada',
      intro:
        'Usted todavía no recibe las novedades de su caso. Para recibirlas, abra este enlace y toque el botón de la página:',
      unasked:
        'Si no esperaba este correo, ignórelo. Sin su confirmación, no enviaremos novedades a esta dirección.',
    },
    address_changed: {
      subject: 'Se cambió su dirección de correo electrónico',
      heading: 'Se cambió su dirección de correo electrónico',
      intro:
        'Desde ahora enviamos sus correos a otra dirección. Si usted no hizo este cambio, deshágalo aquí:',
      button: 'Deshacer el cambio',
      validity: 'El enlace sirve durante 7 días.',
      asked: 'Si usted hizo este cambio, no tiene que hacer nada.',
    },
    address_taken: {
      subject: 'Usted ya tiene una cuenta',
      heading: 'Usted ya tiene una cuenta',
      intro:
        'Alguien, probablemente usted, intentó usar esta dirección de correo electrónico para una cuenta. Esta dirección ya tiene una cuenta. No se cambió nada.',
      next: 'No necesita otra cuenta. Pida un código de acceso con esta dirección.',
      unasked: 'Si no fue usted, ignore este correo.',
    },
    confirm_new_address: {
      subject: 'Confirme esta dirección de correo electrónico para una cuenta',
      heading: 'Confirme esta dirección de correo electrónico para una cuenta',
      intro:
        'Alguien pidió usar esta dirección de correo electrónico para una cuenta que ya existe. Si fue usted, abra este enlace y toque el botón de la página:',
      button: 'Confirmar correo electrónico',
      validity:
        'El enlace sirve durante 48 horas. También enviamos un correo a la dirección actual de la cuenta.',
      unasked: 'Si usted no lo pidió, ignore este correo. La cuenta conserva su dirección actual.',
    },
    address_change_asked: {
      subject: 'Otra dirección de correo electrónico para su cuenta',
      heading: 'Otra dirección de correo electrónico para su cuenta',
      intro:
        'Alguien que inició sesión en su cuenta pidió cambiar la dirección de correo electrónico. Si no fue usted, abra este enlace y cancele el cambio:',
      button: 'Cancelar el cambio',
      validity: 'El enlace sirve hasta que se confirme la nueva dirección, como máximo 7 días.',
      asked:
        'Si fue usted, abra el enlace que enviamos a la nueva dirección. Su cuenta conserva esta dirección hasta que confirme la nueva.',
    },
    staff_invitation: {
      subject: 'Invitación a Casewatch',
      heading: 'Le invitamos a Casewatch',
      intro:
        'Su organización quiere que usted trabaje con sus casos en Casewatch. Para aceptar, abra este enlace y toque el botón de la página:',
      button: 'Aceptar la invitación',
      validity: 'El enlace sirve una sola vez, durante 7 días.',
      unasked:
        'Lo que los miembros hacen en Casewatch queda registrado durante un año. Si no esperaba este correo, ignórelo.',
    },
    staff_signed_in: {
      subject: 'Un nuevo inicio de sesión en Casewatch',
      heading: 'Un nuevo inicio de sesión en Casewatch',
      intro:
        'Alguien, probablemente usted, inició sesión con esta dirección desde una red o un navegador que usted no usó en los últimos 30 días. Sus sesiones están en la configuración:',
      button: 'Ver mis sesiones',
      validity: 'Si fue usted, no tiene que hacer nada.',
      unasked:
        'Si no fue usted, cierre todas las sesiones en esa página y avise a un propietario de su organización.',
    },
    settings_changed: {
      subject: 'Cambió la configuración de su organización',
      heading: 'Cambió la configuración de su organización',
      intro: (settings) =>
        `Cambió esta configuración de su organización en Casewatch: ${settings}. Véala aquí:`,
      button: 'Ver la configuración',
      validity: 'Si alguien de su organización hizo el cambio, no tiene que hacer nada.',
      unasked: 'Si no, deshaga el cambio, quite al miembro que lo hizo y revise la actividad.',
    },
    settingNames: {
      logo_url: 'el logotipo',
      reply_to: 'la dirección de respuesta',
      support_contact: 'el contacto de ayuda',
      case_url: 'el enlace a un caso',
      time_zone: 'la zona horaria',
      calendar_addresses: 'si el personal puede tener direcciones de calendario',
      names_in_mails: 'si los correos al personal nombran a los clientes',
      new_member_alerts: 'los avisos de los miembros nuevos',
      second_factor: 'quién necesita un segundo factor',
    },
    second_factor_changed: {
      button: 'Ver mi segundo factor',
      unasked:
        'Si no fue usted, avise ahora a un propietario de su organización: otra persona puede leer sus correos.',
      on: {
        subject: 'Su segundo factor está activado',
        intro:
          'Desde ahora, usted inicia sesión en Casewatch con un código que llega por correo y otro de su aplicación de autenticación. El segundo factor está en la configuración:',
        next: (codesLeft) =>
          `Tiene ${codesLeft} códigos de recuperación, para cuando no tenga la aplicación. Los anteriores ya no sirven.`,
      },
      off: {
        subject: 'Su segundo factor está desactivado',
        intro:
          'Desde ahora, usted inicia sesión en Casewatch solo con un código que llega por correo. El segundo factor está en la configuración:',
        next: () => 'Si fue usted, no tiene que hacer nada.',
      },
      reset: {
        subject: 'Se quitó su segundo factor',
        intro:
          'Un propietario de su organización, o el operador de Casewatch, quitó su segundo factor. Todas sus sesiones se cerraron. La próxima vez que inicie sesión, puede configurar otro:',
        next: () => 'Si usted lo pidió, no tiene que hacer nada más.',
      },
      recovery_code_used: {
        subject: 'Se usó un código de recuperación',
        intro:
          'Alguien, probablemente usted, inició sesión en Casewatch con un código de recuperación en lugar de la aplicación de autenticación. El segundo factor está en la configuración:',
        next: (codesLeft) =>
          codesLeft === 0
            ? 'No le queda ningún código de recuperación: configure otra vez el segundo factor para tener nuevos.'
            : codesLeft === 1
              ? 'Le queda 1 código de recuperación. Para tener nuevos, configure otra vez el segundo factor.'
              : `Le quedan ${codesLeft} códigos de recuperación. Para tener nuevos, configure otra vez el segundo factor.`,
      },
    },
    confirm_reply_to: {
      subject: 'Confirme esta dirección de respuesta',
      heading: 'Confirme esta dirección de respuesta',
      intro: (partner) =>
        `${partner} quiere que las respuestas de sus clientes a los correos de Casewatch lleguen a esta dirección. Si es correcto, abra este enlace y toque el botón de la página:`,
      button: 'Confirmar la dirección',
      validity: 'El enlace sirve durante 48 horas.',
      unasked: (partner) =>
        `Si usted no conoce a ${partner}, ignore este correo. Sin su confirmación no llega nada a esta dirección.`,
      why: (partner) => `Recibe este correo porque ${partner} indicó esta dirección en Casewatch.`,
    },
    partner_deletion: {
      subject: 'Su organización se eliminará de Casewatch',
      heading: 'Su organización se eliminará de Casewatch',
      intro: (day) =>
        `Todos los datos de su organización en Casewatch se borrarán el ${day}: clientes y casos, miembros, claves, endpoints, configuración y actividad.`,
      meanwhile:
        'Desde ahora los miembros no pueden iniciar sesión, las claves de API no funcionan y los webhooks esperan. Hasta ese día sus clientes reciben las novedades como antes.',
      unasked: (day) =>
        `Hasta el ${day} se puede restaurar todo. Si su organización no pidió esto, avise al operador de Casewatch antes de ese día.`,
    },
    disclaimer: 'No somos USCIS ni ninguna otra agencia del gobierno.',
    ofPartner: {
      verifyHeading: (partner) => `${partner} le pide que confirme su correo electrónico`,
      verifyIntro: (partner) =>
        `${partner} quiere enviarle las novedades de su caso por medio de Casewatch. Para que le lleguen, confirme que esta dirección es suya: abra este enlace y toque el botón de la página:`,
      verifyUnasked: (partner) => `Si usted no conoce a ${partner}, ignore este correo.`,
      reminderIntro: (partner) =>
        `${partner} quiere enviarle las novedades de su caso, y usted todavía no las recibe. Para recibirlas, abra este enlace y toque el botón de la página:`,
      why: (partner) =>
        `Recibe este correo porque ${partner} usa Casewatch para enviarle las novedades de su caso.`,
      inviteHeading: (partner) => `${partner} le invita a Casewatch`,
      inviteIntro: (partner) =>
        `${partner} quiere que usted trabaje con sus casos en Casewatch. Para aceptar, abra este enlace y toque el botón de la página:`,
      inviteUnasked: (partner) =>
        `Lo que los miembros hacen en Casewatch queda registrado durante un año. Si usted no trabaja con ${partner}, ignore este correo.`,
      whyStaff: (partner) => `Recibe este correo porque ${partner} usa Casewatch en su trabajo.`,
    },
  },
  pt: {
    login_code: {
      subject: 'O seu código de acesso',
      heading: 'O seu código de acesso',
      code: 'Digite este código na página em que você está entrando:',
      validity: (minutes) =>
        minutes === 1
          ? 'Ele vale uma única vez, por um minuto.'
          : `Ele vale uma única vez, por ${minutes} minutos.`,
      unasked: 'Se você não pediu este código, ignore este e-mail. Nunca passe o código para ninguém.',
    },
    verify_email: {
      subject: 'Confirme o seu endereço de e-mail',
      heading: 'Confirme o seu endereço de e-mail',
      intro:
        'Abra este link e toque no botão da página, para que possamos enviar as atualizações do seu caso:',
      button: 'Confirmar endereço',
      validity: 'O link vale por 48 horas.',
      unasked:
        'Se você não esperava este e-mail, ignore-o. Sem a sua confirmação, não enviaremos atualizações a este endereço.',
    },
    welcome: {
      subject: 'Boas-vindas ao Casewatch',
      heading: 'Abra a sua conta no Casewatch',
      intro:
        'Este endereço ainda não tem uma conta. Para abrir uma e acompanhar o seu caso no USCIS, abra este link e toque no botão da página:',
      button: 'Abrir a minha conta',
      validity: 'O link vale uma só vez, por 24 horas. Não custa nada, e você não precisa de senha.',
      unasked:
        'Se você não pediu isso, ignore este e-mail. Sem você, nenhuma conta é aberta, e não escrevemos mais nada.',
    },
    verify_reminder: {
      subject: 'Confirme o seu endereço de e-mail',
      heading: 'O seu endereço ainda não foi confirmado',
      intro:
        'Você ainda não recebe as atualizações do seu caso. Para receber, abra este link e toque no botão da página:',
      unasked:
        'Se você não esperava este e-mail, ignore-o. Sem a sua confirmação, não enviaremos atualizações a este endereço.',
    },
    address_changed: {
      subject: 'O seu endereço de e-mail foi mudado',
      heading: 'O seu endereço de e-mail foi mudado',
      intro:
        'A partir de agora, enviamos os seus e-mails para outro endereço. Se não foi você que fez essa mudança, desfaça aqui:',
      button: 'Desfazer a mudança',
      validity: 'O link vale por 7 dias.',
      asked: 'Se foi você que fez essa mudança, não precisa fazer nada.',
    },
    address_taken: {
      subject: 'Você já tem uma conta',
      heading: 'Você já tem uma conta',
      intro:
        'Alguém, provavelmente você, tentou usar este endereço de e-mail para uma conta. Este endereço já tem uma conta. Nada mudou.',
      next: 'Você não precisa de outra conta. Peça um código de acesso com este endereço.',
      unasked: 'Se não foi você, ignore este e-mail.',
    },
    confirm_new_address: {
      subject: 'Confirme este endereço de e-mail para uma conta',
      heading: 'Confirme este endereço de e-mail para uma conta',
      intro:
        'Alguém pediu para usar este endereço de e-mail em uma conta que já existe. Se foi você, abra este link e toque no botão da página:',
      button: 'Confirmar endereço',
      validity: 'O link vale por 48 horas. Também enviamos um e-mail ao endereço atual da conta.',
      unasked: 'Se você não pediu isso, ignore este e-mail. A conta continua com o endereço atual.',
    },
    address_change_asked: {
      subject: 'Outro endereço de e-mail para a sua conta',
      heading: 'Outro endereço de e-mail para a sua conta',
      intro:
        'Alguém que entrou na sua conta pediu para mudar o endereço de e-mail. Se não foi você, abra este link e cancele a mudança:',
      button: 'Cancelar a mudança',
      validity: 'O link vale até que o novo endereço seja confirmado, no máximo por 7 dias.',
      asked:
        'Se foi você, abra o link que enviamos ao novo endereço. A sua conta continua com este endereço até você confirmar o novo.',
    },
    staff_invitation: {
      subject: 'Convite para o Casewatch',
      heading: 'Você tem um convite para o Casewatch',
      intro:
        'A sua organização quer que você trabalhe com os casos dela no Casewatch. Para aceitar, abra este link e toque no botão da página:',
      button: 'Aceitar o convite',
      validity: 'O link vale uma só vez, por 7 dias.',
      unasked:
        'O que os membros fazem no Casewatch fica registrado por um ano. Se você não esperava este e-mail, ignore-o.',
    },
    staff_signed_in: {
      subject: 'Um novo acesso ao Casewatch',
      heading: 'Um novo acesso ao Casewatch',
      intro:
        'Alguém, provavelmente você, entrou com este endereço a partir de uma rede ou de um navegador que você não usou nos últimos 30 dias. Os seus acessos estão nas configurações:',
      button: 'Ver os meus acessos',
      validity: 'Se foi você, não precisa fazer nada.',
      unasked:
        'Se não foi você, saia de todos os lugares nessa página e avise um proprietário da sua organização.',
    },
    settings_changed: {
      subject: 'As configurações da sua organização mudaram',
      heading: 'As configurações da sua organização mudaram',
      intro: (settings) =>
        `Estas configurações da sua organização mudaram no Casewatch: ${settings}. Veja aqui:`,
      button: 'Ver as configurações',
      validity: 'Se alguém da sua organização fez a mudança, você não precisa fazer nada.',
      unasked: 'Se não, desfaça a mudança, remova o membro que a fez e veja a atividade.',
    },
    settingNames: {
      logo_url: 'o logotipo',
      reply_to: 'o endereço de resposta',
      support_contact: 'o contato de ajuda',
      case_url: 'o link para um caso',
      time_zone: 'o fuso horário',
      calendar_addresses: 'se a equipe pode ter endereços de calendário',
      names_in_mails: 'se os e-mails à equipe citam os clientes',
      new_member_alerts: 'os alertas dos novos membros',
      second_factor: 'quem precisa de um segundo fator',
    },
    second_factor_changed: {
      button: 'Ver o meu segundo fator',
      unasked:
        'Se não foi você, avise agora um proprietário da sua organização: outra pessoa consegue ler os seus e-mails.',
      on: {
        subject: 'O seu segundo fator está ligado',
        intro:
          'A partir de agora, você entra no Casewatch com um código que chega por e-mail e outro do seu aplicativo autenticador. O segundo fator está nas configurações:',
        next: (codesLeft) =>
          `Você tem ${codesLeft} códigos de recuperação, para quando estiver sem o aplicativo. Os anteriores não valem mais.`,
      },
      off: {
        subject: 'O seu segundo fator está desligado',
        intro:
          'A partir de agora, você entra no Casewatch só com um código que chega por e-mail. O segundo fator está nas configurações:',
        next: () => 'Se foi você, não precisa fazer nada.',
      },
      reset: {
        subject: 'O seu segundo fator foi removido',
        intro:
          'Um proprietário da sua organização, ou o operador do Casewatch, removeu o seu segundo fator. Você saiu de todos os lugares. No próximo acesso, você pode configurar outro:',
        next: () => 'Se foi você que pediu, não precisa fazer mais nada.',
      },
      recovery_code_used: {
        subject: 'Um código de recuperação foi usado',
        intro:
          'Alguém, provavelmente você, entrou no Casewatch com um código de recuperação no lugar do aplicativo autenticador. O segundo fator está nas configurações:',
        next: (codesLeft) =>
          codesLeft === 0
            ? 'Você não tem mais nenhum código de recuperação: configure de novo o segundo fator para receber outros.'
            : codesLeft === 1
              ? 'Você ainda tem 1 código de recuperação. Para receber outros, configure de novo o segundo fator.'
              : `Você ainda tem ${codesLeft} códigos de recuperação. Para receber outros, configure de novo o segundo fator.`,
      },
    },
    confirm_reply_to: {
      subject: 'Confirme este endereço de resposta',
      heading: 'Confirme este endereço de resposta',
      intro: (partner) =>
        `${partner} quer que as respostas dos clientes aos e-mails do Casewatch cheguem a este endereço. Se está certo, abra este link e toque no botão da página:`,
      button: 'Confirmar o endereço',
      validity: 'O link vale por 48 horas.',
      unasked: (partner) =>
        `Se você não conhece ${partner}, ignore este e-mail. Sem a sua confirmação, nada chega a este endereço.`,
      why: (partner) => `Você recebe este e-mail porque ${partner} informou este endereço no Casewatch.`,
    },
    partner_deletion: {
      subject: 'A sua organização será excluída do Casewatch',
      heading: 'A sua organização será excluída do Casewatch',
      intro: (day) =>
        `Todos os dados da sua organização no Casewatch serão apagados em ${day}: clientes e casos, membros, chaves, endpoints, configurações e atividade.`,
      meanwhile:
        'A partir de agora os membros não podem entrar, as chaves de API não funcionam e os webhooks esperam. Até esse dia os seus clientes recebem as atualizações como antes.',
      unasked: (day) =>
        `Até ${day} tudo pode ser restaurado. Se a sua organização não pediu isto, avise o operador do Casewatch antes desse dia.`,
    },
    disclaimer: 'Não somos o USCIS nem nenhum outro órgão do governo.',
    ofPartner: {
      verifyHeading: (partner) => `${partner} pede que você confirme o seu e-mail`,
      verifyIntro: (partner) =>
        `${partner} quer enviar a você as atualizações do seu caso pelo Casewatch. Para que elas cheguem a você, confirme que este endereço é seu: abra este link e toque no botão da página:`,
      verifyUnasked: (partner) => `Se você não conhece ${partner}, ignore este e-mail.`,
      reminderIntro: (partner) =>
        `${partner} quer enviar a você as atualizações do seu caso, e você ainda não as recebe. Para receber, abra este link e toque no botão da página:`,
      why: (partner) =>
        `Você recebe este e-mail porque ${partner} usa o Casewatch para enviar a você as atualizações do seu caso.`,
      inviteHeading: (partner) => `${partner} convida você para o Casewatch`,
      inviteIntro: (partner) =>
        `${partner} quer que você trabalhe com os casos da organização no Casewatch. Para aceitar, abra este link e toque no botão da página:`,
      inviteUnasked: (partner) =>
        `O que os membros fazem no Casewatch fica registrado por um ano. Se você não trabalha com ${partner}, ignore este e-mail.`,
      whyStaff: (partner) => `Você recebe este e-mail porque ${partner} usa o Casewatch no trabalho.`,
    },
  },
};
