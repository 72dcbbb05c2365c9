import { idText } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { section } from '../parts/blocks.ts';
import { consolePage } from './console-page.ts';

/** Everything that is stored about a member, as a file, for the member and for owners (firm.md §1). The operation says who may have it. */
export const memberExport = consolePage({
  method: 'GET',
  path: '/console/staff/:staff_id/download',
  // Every member can see cases.
  scope: 'cases:read',
  params: z.object({ staff_id: idText }),
  async handle({ ask, params }) {
    const exported = await ask('export_staff_member', { params });
    const text = JSON.stringify(exported, null, 2);
    return { file: { name: 'casewatch-member.json', type: 'application/json', text } };
  },
});

/** On the own page, and for owners on that of a member. The link is no download: whoever must sign in again gets the page that says so. */
export function memberExportSection(id: number): Markup {
  return section(
    'Data',
    html`<p>A file with everything that is stored about this member. It needs a sign-in within 15 minutes.</p>
<p><a class="button" href="/console/staff/${id}/download">Export the data</a></p>`,
  );
}
