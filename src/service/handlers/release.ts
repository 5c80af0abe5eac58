/** `/v1/release`: the data release being served. */
import { releaseOf } from '../meta.ts';
import type { Handler } from '../types.ts';

export const release: Handler = async (asked) => ({ data: releaseOf(asked.release.manifest) });
