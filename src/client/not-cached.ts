import { Failure } from '../contract/failure.ts';

/** Returns the failure of `--offline` if `target`, an address or a path, is not cached. */
export const makeNotCachedFailure = (target: string): Failure =>
  new Failure('network', `${target} is not cached, and --offline sends no request.`, {
    hint: 'Run the command once without --offline; the data that the command reads is then cached.',
  });
