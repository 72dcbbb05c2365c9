/** Forms of the staging receipts, with the names for descriptions. */
export const FORMS = [
  { type: 'I-130', en: 'Petition for Alien Relative', es: 'Petición de Familiar Extranjero' },
  {
    type: 'I-485',
    en: 'Application to Register Permanent Residence',
    es: 'Solicitud de Residencia Permanente',
  },
  {
    type: 'I-765',
    en: 'Application for Employment Authorization',
    es: 'Solicitud de Autorización de Empleo',
  },
  { type: 'I-131', en: 'Application for Travel Document', es: 'Solicitud de Documento de Viaje' },
  { type: 'N-400', en: 'Application for Naturalization', es: 'Solicitud de Naturalización' },
  {
    type: 'I-90',
    en: 'Application to Replace Permanent Resident Card',
    es: 'Solicitud de Reemplazo de Tarjeta',
  },
  { type: 'I-140', en: 'Immigrant Petition for Alien Workers', es: 'Petición de Trabajador Extranjero' },
] as const;

/** Form of an unknown receipt at its first step. */
export const DEFAULT_FORM = 'I-485';
