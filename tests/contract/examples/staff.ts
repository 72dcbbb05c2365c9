import { acceptWithSecondFactor } from '../../support/staff.ts';
import { noId } from './stand-ins.ts';
import type { Row, Story } from './story.ts';

const staff = '/v1/client/staff';
const maria = { email: 'maria.lopes@firm.example', name: 'Maria Lopes', role: 'owner' };
const paulo = {
  email: 'paulo.reis@firm.example',
  name: 'Paulo Reis',
  role: 'viewer',
  language: 'pt',
  time_zone: 'America/New_York',
};

export async function staffMembers({ dev, recorder, byFirm, setUp }: Story): Promise<void> {
  const { shows, fails } = recorder;
  const { staff_member: owner } = await setUp<{ staff_member: Row }>('POST', staff, maria);
  await acceptWithSecondFactor(dev, maria.email);
  // Before any read of the owner, whose record comes within a second, and is in the export or not.
  await shows('export_staff_member', byFirm(`${staff}/${owner.id}/export`));
  const { staff_member } = await shows('invite_staff_member', byFirm(staff, paulo));
  await fails('invite_staff_member', 'staff_already_exists', byFirm(staff, paulo));
  const path = `${staff}/${(staff_member as Row).id}`;
  await shows('list_assignees', byFirm('/v1/client/assignees'));
  await shows('list_staff', byFirm(`${staff}?limit=2`));
  await shows('get_staff_member', byFirm(`${staff}/${owner.id}`));
  await fails('get_staff_member', 'staff_not_found', byFirm(`${staff}/${noId}`));
  await shows('update_staff_member', byFirm(path, { role: 'editor' }));
  await fails('update_staff_member', 'last_owner', byFirm(`${staff}/${owner.id}`, { role: 'editor' }));
  await shows('reset_second_factor', byFirm(`${staff}/${owner.id}/second-factor`));
  await shows('remove_staff_member', byFirm(path));
}
