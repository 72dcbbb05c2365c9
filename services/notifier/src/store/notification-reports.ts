import type { NotificationModel, NotificationRow } from './notification-model.ts';

/** Rows by what their provider knows of them. */
export function reportQueries(model: NotificationModel) {
  return {
    async findByProviderId(providerId: string): Promise<NotificationRow | null> {
      return await model.findOne({ provider_message_id: providerId }).lean<NotificationRow>();
    },

    async setRank(ids: readonly string[], rank: number): Promise<void> {
      const lower = { _id: { $in: [...ids] }, provider_rank: { $lt: rank } };
      await model.updateMany(lower, { $set: { provider_rank: rank } });
    },

    async ownedProviderIds(providerIds: readonly string[]): Promise<string[]> {
      const rows = await model
        .find({ provider_message_id: { $in: [...providerIds] } }, { provider_message_id: 1 })
        .lean<NotificationRow[]>();
      return rows.flatMap(({ provider_message_id }) => provider_message_id ?? []);
    },

    /** WhatsApp messages that were accepted by `before` and looked up so often, without a report of their delivery. */
    async unreported(
      { polls, before }: { polls: number; before: Date },
      limit: number,
    ): Promise<NotificationRow[]> {
      return await model
        .find({
          channel: 'whatsapp',
          status: 'sent',
          sent_at: { $gt: new Date(0), $lte: before },
          polls: polls === 0 ? { $in: [0, null] } : polls,
        })
        .limit(limit)
        .lean<NotificationRow[]>();
    },

    async setPolls(ids: readonly string[], polls: number): Promise<void> {
      if (ids.length > 0) await model.updateMany({ _id: { $in: [...ids] } }, { $set: { polls } });
    },
  };
}
