import { join } from 'node:path';
import { must } from '../verify/run.ts';
import { DEPLOY } from '../verify/settings.ts';

/** All objects of an overlay as kubectl would apply them. @throws Error with kustomize's complaint */
export function render(overlay: string): Promise<string> {
  return must('kubectl', ['kustomize', join(DEPLOY, overlay)]);
}
