/** The service on the release that ships with the package. */
import { join, resolve } from 'node:path';
import type { OperationId } from '../../src/contract/operations.ts';
import type { Meta } from '../../src/contract/resources/envelope.ts';
import type { ReleaseReader } from '../../src/store/reader.ts';
import { openRelease } from '../../src/store/reader.ts';
import { currentStamp } from '../../src/store/releases/home.ts';
import { body, serviceOf } from './ask.ts';
import { expectExactly } from './exactly.ts';

const HOME = resolve(import.meta.dirname, '../../src/store/sample');

export interface Sample {
  readonly directory: string;
  readonly release: ReleaseReader;
  /** The answer, which must be exactly its resource. */
  get<Data>(id: OperationId, target: string): Promise<{ readonly data: Data; readonly meta: Meta }>;
}

let opened: Sample | undefined;

/** One for all test files that a worker runs: tables are read once. Open until the worker ends. */
export function openSample(): Sample {
  opened ??= open();
  return opened;
}

function open(): Sample {
  const directory = join(HOME, currentStamp(HOME) ?? '');
  const release = openRelease(directory);
  const service = serviceOf({ release: async () => release });
  return {
    directory,
    release,
    async get(id, target) {
      const answer = await body(target, { service });
      expectExactly(id, answer);
      return answer;
    },
  };
}
