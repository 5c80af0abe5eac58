/** A worker thread that measures and encodes spans of typed tables. */
import { answerTasks } from '../platform/workers/worker-thread.ts';
import { type SourceRelease, type SpanResult, SpanRunner } from './typed-span.ts';

answerTasks((source: SourceRelease) => new SpanRunner(source), listBuffers);

function listBuffers(result: SpanResult): ArrayBuffer[] {
  const groups = 'encoded' in result ? result.encoded : [];
  return groups.flatMap(({ chunks }) => chunks.map(({ bytes }) => bytes.buffer));
}
