import { type Connection, collection, type Session } from '@casewatch/platform/database';

/** What was done for one row of an import: ids and sentences, nothing of the person. */
export type ImportAnswerRow = {
  /** `import:<id>:<row>` */
  _id: string;
  outcome: 'created' | 'updated' | 'unchanged';
  user_id: number;
  name_differs: boolean;
  created_at: Date;
};

/** Much longer than an import runs. */
const keepSeconds = 30 * 24 * 60 * 60;

const answers = collection<ImportAnswerRow>('import_answers', String, [
  { name: 'expiry', keys: { created_at: 1 }, expireAfterSeconds: keepSeconds },
]);

export function createImportAnswerStore(db: Connection) {
  const model = answers(db);
  return {
    async find(key: string, tx: Session | null = null): Promise<ImportAnswerRow | null> {
      return await model.findById(key).session(tx).lean<ImportAnswerRow>();
    },
    async insert(row: ImportAnswerRow, tx: Session): Promise<void> {
      await model.insertMany([row], { session: tx });
    },
  };
}
