import type { Acknowledgement } from '@casewatch/contracts';
import type { AcknowledgementRow } from '../store/acknowledgements.ts';
import type { TimeFormat } from './status-update.ts';

export function presentAcknowledgement(row: AcknowledgementRow, time: TimeFormat): Acknowledgement {
  return {
    version: row.version,
    acknowledged_at: time(row.acknowledged_at),
    acknowledged_by: row.partner_id === null ? 'user' : 'partner',
    key_id: row.key_id === null ? null : Number(row.key_id),
  };
}
