/** `/v1/release`: the data release being served. */
import type { Handler } from '../request/handler.ts';
import { toReleaseResource } from './meta.ts';

export const handleRelease: Handler<'release'> = async (request) => ({
  data: toReleaseResource(request.release.manifest),
});
