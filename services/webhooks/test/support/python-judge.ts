import { runPython } from '@casewatch/testing';
import type { Received } from './receiver.ts';

const program = `
import json, sys
from standardwebhooks import Webhook, WebhookVerificationError
secrets, headers, body = json.load(open(sys.argv[1]))
def verifies(secret):
    try:
        Webhook(secret).verify(body, headers)
        return True
    except WebhookVerificationError:
        return False
print(json.dumps([verifies(secret) for secret in secrets]))
`;

/** Whether each secret verifies the call, as the standardwebhooks of PyPI says. Null where it cannot be installed. */
export async function verifiesInPython(
  secrets: readonly string[],
  { headers, body }: Received,
): Promise<boolean[] | null> {
  const input = [secrets, headers, body];
  return await runPython<boolean[]>({ distribution: 'standardwebhooks==1.1.0', program, input });
}
