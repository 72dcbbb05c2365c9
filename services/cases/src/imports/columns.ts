import type { ImportColumn } from '@casewatch/contracts';

/** The columns of an import (firm.md §6), and the headers that they have in English, Spanish and Portuguese. */
const headersOf = {
  receipt_number: [
    'receipt',
    'receipt no',
    'receipt num',
    'uscis receipt',
    'uscis receipt number',
    'uscis number',
    'case receipt number',
    'numero de recibo',
    'recibo',
    'numero do recibo',
    'numero recibo',
    'recibo uscis',
    'numero de recibo uscis',
    'numero do recibo uscis',
  ],
  email: [
    'e mail',
    'mail',
    'email address',
    'e mail address',
    'client email',
    'correo',
    'correo electronico',
    'direccion de correo',
    'direccion de correo electronico',
    'email do cliente',
    'endereco de email',
    'endereco de e mail',
    'correio eletronico',
  ],
  name: [
    'full name',
    'client',
    'client name',
    'beneficiary',
    'beneficiary name',
    'nombre',
    'nombre completo',
    'cliente',
    'nombre del cliente',
    'beneficiario',
    'nome',
    'nome completo',
    'nome do cliente',
  ],
  uscis_access_acknowledged: [
    'access acknowledged',
    'acknowledged',
    'uscis access',
    'uscis access authorized',
    'access authorized',
    'acceso autorizado',
    'acceso a uscis autorizado',
    'acesso autorizado',
    'acesso ao uscis autorizado',
  ],
  phone: [
    'phone number',
    'telephone',
    'mobile',
    'mobile phone',
    'cell',
    'cell phone',
    'telefono',
    'numero de telefono',
    'movil',
    'celular',
    'telefone',
    'numero de telefone',
    'telemovel',
  ],
  preferred_language: ['language', 'idioma', 'lengua', 'idioma preferido', 'lingua', 'lingua preferida'],
  notify_by_email: [
    'email notifications',
    'notify email',
    'notificar por correo',
    'avisar por correo',
    'notificar por email',
    'avisar por email',
    'notificar por e mail',
    'avisar por e mail',
  ],
  notify_by_whatsapp: [
    'whatsapp',
    'whatsapp notifications',
    'notify whatsapp',
    'notificar por whatsapp',
    'avisar por whatsapp',
  ],
  whatsapp_consent: [
    'whatsapp consent',
    'consentimiento de whatsapp',
    'consentimiento whatsapp',
    'consentimento de whatsapp',
    'consentimento whatsapp',
    'consentimento do whatsapp',
  ],
  description: ['case description', 'descripcion', 'descricao'],
  reference: [
    'matter',
    'matter number',
    'matter no',
    'file number',
    'case reference',
    'referencia',
    'expediente',
    'numero de expediente',
    'processo',
    'numero do processo',
    'referencia do caso',
  ],
  assignee_email: [
    'assignee',
    'assigned to',
    'responsible',
    'responsible email',
    'asignado a',
    'responsable',
    'correo del responsable',
    'responsavel',
    'atribuido a',
    'email do responsavel',
  ],
} as const satisfies Record<ImportColumn, readonly string[]>;

export type Column = ImportColumn;

/** The cells of one row that are known columns, trimmed. A blank cell is absent, or empty. */
export type Cells = Partial<Record<Column, string>>;

export const columns = Object.keys(headersOf) as Column[];

export const requiredColumns = ['receipt_number', 'email', 'name', 'uscis_access_acknowledged'] as const;

export function isRequired(column: Column): boolean {
  return (requiredColumns as readonly Column[]).includes(column);
}

const byHeader = new Map(
  columns.flatMap((column) =>
    [column, ...headersOf[column]].map((header) => [bare(header), column] as const),
  ),
);

/** The column that a header names, whatever its case, accents and punctuation. */
export function columnOf(header: string): Column | null {
  return byHeader.get(bare(header)) ?? null;
}

function bare(header: string): string {
  return (
    header
      .slice(0, 200)
      .normalize('NFKD')
      // Accents; then everything between words.
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  );
}
