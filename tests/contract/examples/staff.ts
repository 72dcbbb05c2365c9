import { createMac, keyRingSetting } from '@casewatch/platform';
import { connectDatabase, waitFor } from '@casewatch/testing';
import { alertsOffToken } from '../../../services/notifier/src/domain/unsubscribe-token.ts';
import { acceptWithSecondFactor } from '../../support/staff.ts';
import { noId } from './stand-ins.ts';
import { type Row, type Story, settingsOf } from './story.ts';

const staff = '/v1/client/staff';
const maria = { email: 'maria.lopes@firm.example', name: 'Maria Lopes', role: 'owner' };
const paulo = {
  email: 'paulo.reis@firm.example',
  name: 'Paulo Reis',
  role: 'viewer',
  language: 'pt',
  time_zone: 'America/New_York',
};

/** The export says when. To ask for it until it does would be recorded, and stand in it. */
async function noticesAreSent(mongodbUrl: string, staff_id: number): Promise<void> {
  const connection = await connectDatabase(mongodbUrl);
  const rows = connection.collection('staff_notices');
  const areSent = async () => {
    const found = await rows.find({ staff_id }).toArray();
    return found.length > 0 && found.every(({ delivery }) => delivery.sent_at !== null);
  };
  await waitFor(areSent, { timeoutMs: 60_000, what: 'the mail about the second factor' });
  await connection.close();
}

export async function staffMembers(story: Story): Promise<void> {
  const { dev, recorder, byFirm, setUp } = story;
  const { shows, fails } = recorder;
  const { staff_member: owner } = await setUp<{ staff_member: Row }>('POST', staff, maria);
  await acceptWithSecondFactor(dev, maria.email);
  await noticesAreSent(settingsOf(story, 'identity').MONGODB_URL ?? '', Number(owner.id));
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
  await turningOff(story, owner.id);
  await shows('remove_staff_member', byFirm(path));
}

/** The link of a mail to a member, made as the notifier makes it. */
async function turningOff(story: Story, staffId: number): Promise<void> {
  const { shows, fails } = story.recorder;
  const ring = keyRingSetting.parse(settingsOf(story, 'notifier').NOTIFIER_HMAC_KEY);
  const off = '/v1/alerts/off';
  const form = { 'List-Unsubscribe': 'One-Click' };
  const path = `${off}?token=${alertsOffToken(createMac(ring, 'unsubscribe links'), staffId)}`;
  const wrong = `${off}?token=not-a-token`;
  await shows('staff_alerts_page', { path });
  await shows('staff_alerts_off', { path, form });
  await fails('staff_alerts_page', 'invalid_verification_token', { path: wrong });
  await fails('staff_alerts_off', 'invalid_verification_token', { path: wrong, form });
}
