/** Names a status update: each update of a case has an observation of its own. */
export function updateKey(caseId: number, observation: number): string {
  return `${caseId}:${observation}`;
}
