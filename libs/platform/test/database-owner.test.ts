import { createBase } from '@casewatch/platform';
import { emptyDatabase } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { startBases } from './support/start-bases.ts';

describe('a database', () => {
  it('belongs to the service that started on it first: another one does not start', async () => {
    const bases = await startBases();
    try {
      await bases.base('identity');
      const settings = {
        LOG_LEVEL: 'silent',
        METRICS_PORT: 0,
        MONGODB_URL: bases.databaseUrl('identity'),
      };
      const starting = createBase('cases', { ...settings, ...bases.nats.user('cases') }, emptyDatabase);
      await expect(starting).rejects.toThrow(
        'MONGODB_URL names the database of identity. Use a separate database for cases.',
      );
      await expect(bases.base('identity')).resolves.toMatchObject({ service: 'identity' });
    } finally {
      await bases.stop();
    }
  });
});
