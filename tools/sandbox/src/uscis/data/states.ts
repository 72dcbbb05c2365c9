/** Titles are the government's, descriptions are ours. `{date}`, `{form}` and `{receipt}` are replaced when served. */
export interface State {
  en: string;
  es: string;
  descEn: string;
  descEs: string;
}

const CONTACT_EN =
  'If you move, go to <a href="https://www.uscis.gov/addresschange">www.uscis.gov/addresschange</a> to give us your new mailing address.';
const CONTACT_ES =
  'Si se muda, vaya a <a href="https://www.uscis.gov/es/cambiodireccion">www.uscis.gov/es/cambiodireccion</a> para darnos su nueva dirección postal.';

/** The states of an ordinary case in the order of `advance`. */
export const TIMELINE: readonly State[] = [
  {
    en: 'Case Was Received',
    es: 'Caso Fue Recibido',
    descEn: `On {date}, we received your {form}, Receipt Number {receipt}, and mailed you a receipt notice that tells how we will process your case. ${CONTACT_EN}`,
    descEs: `El {date}, recibimos su {form}, Número de Recibo {receipt}, y le enviamos un aviso de recibo que explica cómo procesaremos su caso. ${CONTACT_ES}`,
  },
  {
    en: 'Biometrics Appointment Was Scheduled',
    es: 'Cita De Datos Biométricos Fue Programada',
    descEn: `On {date}, we scheduled an appointment to take your biometrics for your {form}, Receipt Number {receipt}. Please bring the appointment notice we mailed you. ${CONTACT_EN}`,
    descEs: `El {date}, programamos una cita para tomar sus datos biométricos para su {form}, Número de Recibo {receipt}. Traiga el aviso de cita que le enviamos. ${CONTACT_ES}`,
  },
  {
    en: 'Case Is Being Actively Reviewed By USCIS',
    es: 'Caso Está Siendo Revisado Activamente Por USCIS',
    descEn: `As of {date}, we are actively reviewing your {form}, Receipt Number {receipt}. Our records show nothing is outstanding at this time. ${CONTACT_EN}`,
    descEs: `Desde el {date}, estamos revisando activamente su {form}, Número de Recibo {receipt}. Nuestros registros no muestran nada pendiente en este momento. ${CONTACT_ES}`,
  },
  {
    en: 'Request for Additional Evidence Was Sent',
    es: 'Se Envió Una Solicitud De Evidencia Adicional',
    descEn: `On {date}, we sent a request for additional evidence for your {form}, Receipt Number {receipt}. The request says what we need and by when. <p>We will not take further action until we get your evidence or the time to send it has passed.</p>`,
    descEs: `El {date}, enviamos una solicitud de evidencia adicional para su {form}, Número de Recibo {receipt}. La solicitud dice qué necesitamos y para cuándo. <p>No tomaremos otra acción hasta recibir su evidencia o hasta que venza el plazo.</p>`,
  },
  {
    en: "Response To USCIS' Request For Evidence Was Received",
    es: 'Se Recibió La Respuesta A La Solicitud De Evidencia De USCIS',
    descEn: `On {date}, we received your response to our request for evidence for your {form}, Receipt Number {receipt}. We have begun working on your case again. ${CONTACT_EN}`,
    descEs: `El {date}, recibimos su respuesta a nuestra solicitud de evidencia para su {form}, Número de Recibo {receipt}. Hemos vuelto a trabajar en su caso. ${CONTACT_ES}`,
  },
  {
    en: 'Interview Was Scheduled',
    es: 'Entrevista Fue Programada',
    descEn: `On {date}, we scheduled an interview for your {form}, Receipt Number {receipt}, and mailed you an interview notice with its place &amp; time. ${CONTACT_EN}`,
    descEs: `El {date}, programamos una entrevista para su {form}, Número de Recibo {receipt}, y le enviamos un aviso con el lugar y la hora. ${CONTACT_ES}`,
  },
  {
    en: 'Case Was Approved',
    es: 'Caso Fue Aprobado',
    descEn: `On {date}, we approved your {form}, Receipt Number {receipt}, and mailed you an approval notice. Please follow the instructions in the notice. ${CONTACT_EN}`,
    descEs: `El {date}, aprobamos su {form}, Número de Recibo {receipt}, y le enviamos un aviso de aprobación. Siga las instrucciones del aviso. ${CONTACT_ES}`,
  },
  {
    en: 'New Card Is Being Produced',
    es: 'Tarjeta Nueva Está En Producción',
    descEn: `On {date}, we ordered your new card for Receipt Number {receipt} and will mail it to the address you gave us. ${CONTACT_EN}`,
    descEs: `El {date}, ordenamos su tarjeta nueva para el Número de Recibo {receipt} y la enviaremos a la dirección que nos dio. ${CONTACT_ES}`,
  },
  {
    en: 'Card Was Mailed To Me',
    es: 'Tarjeta Me Fue Enviada Por Correo',
    descEn: `On {date}, we mailed your new card for Receipt Number {receipt} to the address you gave us. ${CONTACT_EN}`,
    descEs: `El {date}, enviamos su tarjeta nueva para el Número de Recibo {receipt} a la dirección que nos dio. ${CONTACT_ES}`,
  },
  {
    en: 'Card Was Delivered To Me By The Post Office',
    es: 'Tarjeta Me Fue Entregada Por La Oficina Postal',
    descEn: `On {date}, the Post Office delivered your new card for Receipt Number {receipt} to the address that you gave us. The tracking number assigned is 9205500000000000000000. You can follow it at <a href="https://tools.usps.com/go/TrackConfirmAction_input">www.usps.com</a>.`,
    descEs: `El {date}, la Oficina Postal entregó su tarjeta nueva para el Número de Recibo {receipt} en la dirección que nos dio. El número de rastreo asignado es 9205500000000000000000. Puede seguirlo en <a href="https://tools.usps.com/go/TrackConfirmAction_input">www.usps.com</a>.`,
  },
  {
    en: 'Case Was Reopened',
    es: 'Caso Fue Reabierto',
    descEn: `On {date}, we reopened your {form}, Receipt Number {receipt}, and are reviewing it again. ${CONTACT_EN}`,
    descEs: `El {date}, reabrimos su {form}, Número de Recibo {receipt}, y lo estamos revisando de nuevo. ${CONTACT_ES}`,
  },
];

/** Where the way goes on after its end and from any state beside it: under review. */
export const REVIEW_STEP = 2;

/** States beside the way, for the staging receipts. */
export const BESIDE: readonly State[] = [
  {
    en: 'Case Was Transferred And A New Office Has Jurisdiction',
    es: 'Caso Fue Transferido Y Una Nueva Oficina Tiene Jurisdicción',
    descEn: `On {date}, we transferred your {form}, Receipt Number {receipt}, to another office, which now has jurisdiction over your case. ${CONTACT_EN}`,
    descEs: `El {date}, transferimos su {form}, Número de Recibo {receipt}, a otra oficina, que ahora tiene jurisdicción sobre su caso. ${CONTACT_ES}`,
  },
  {
    en: 'Case Was Denied',
    es: 'Caso Fue Denegado',
    descEn: `On {date}, we denied your {form}, Receipt Number {receipt}, and mailed you a decision notice with the reasons and your options. ${CONTACT_EN}`,
    descEs: `El {date}, denegamos su {form}, Número de Recibo {receipt}, y le enviamos un aviso de decisión con los motivos y sus opciones. ${CONTACT_ES}`,
  },
  {
    en: 'Case Remains Pending',
    es: 'Caso Permanece Pendiente',
    descEn: `As of {date}, your {form}, Receipt Number {receipt}, remains pending. ${CONTACT_EN}`,
    descEs: `Desde el {date}, su {form}, Número de Recibo {receipt}, permanece pendiente. ${CONTACT_ES}`,
  },
];
