/** The Failure for a release that cannot be read. */
import { Failure } from '../../contract/failure.ts';

export const REPAIR = 'Build it again with "fin data build", or switch to another release with "fin data use".';

export function damaged(path: string, why: string, cause?: unknown): Failure {
  return new Failure('data', `The release file ${path} cannot be read: ${why.replace(/[.\s]+$/, '')}.`, {
    hint: REPAIR,
    cause,
  });
}
