/** The service with the release that is included in the package. */
import { join, resolve } from 'node:path';
import type { OperationId } from '../../src/contract/operations.ts';
import type { Meta } from '../../src/contract/resources/envelope.ts';
import type { ReleaseReader } from '../../src/store/reader.ts';
import { openRelease } from '../../src/store/reader.ts';
import { readCurrentStamp } from '../../src/store/releases/home.ts';
import { askBody, makeService } from './ask.ts';
import { expectExactResource } from './exactly.ts';

const SAMPLE_HOME = resolve(import.meta.dirname, '../../src/store/sample');

export interface Sample {
  readonly directory: string;
  readonly release: ReleaseReader;
  /** Returns the answer, after checking that it conforms exactly to its schema. */
  get<Data>(id: OperationId, target: string): Promise<{ readonly data: Data; readonly meta: Meta }>;
}

let openedSample: Sample | undefined;

/** Returns the sample. All test files of a worker share one opened sample, which stays open until the worker ends. */
export function openSample(): Sample {
  openedSample ??= openNewSample();
  return openedSample;
}

function openNewSample(): Sample {
  const directory = join(SAMPLE_HOME, readCurrentStamp(SAMPLE_HOME) ?? '');
  const release = openRelease(directory);
  const service = makeService({ release: async () => release });
  return {
    directory,
    release,
    async get(id, target) {
      const answer = await askBody(target, { service });
      expectExactResource(id, answer);
      return answer;
    },
  };
}
