/** The script of the threads in answer-threads.ts: computes responses from a release. */
import { answerTasks } from '../../platform/workers/worker-thread.ts';
import { openRelease, type ReleaseReader } from '../../store/reader.ts';
import { identifyManifest, isSameManifest, type ManifestIdentity } from '../../store/releases/manifest.ts';
import { answerQuestion, serializeAnswer, toBytes } from '../answers/answer-question.ts';
import { routeRequest } from '../request/route.ts';
import { type ThreadReply, type ThreadTask, toThreadError } from './answer-threads.ts';

answerTasks(
  () => ({ run: answerTask }),
  (reply: ThreadReply) => ('error' in reply ? [] : [reply.head.buffer]),
);

let openedRelease: (ManifestIdentity & { readonly release: ReleaseReader }) | null = null;

/**
 * Returns the opened release of a directory. Only the latest release stays open, because a new release comes about once
 * a day.
 */
async function openReleaseAt(folder: string): Promise<ReleaseReader> {
  const identity = identifyManifest(folder);
  if (openedRelease !== null && isSameManifest(openedRelease, identity)) return openedRelease.release;
  await openedRelease?.release.close();
  openedRelease = null;
  const release = openRelease(folder);
  openedRelease = { ...identity, release };
  return release;
}

async function answerTask({ directory, target }: ThreadTask): Promise<ThreadReply> {
  try {
    const release = await openReleaseAt(directory);
    const answer = await answerQuestion(release, routeRequest('GET', target), NEVER_ABORTED_SIGNAL);
    const { entityTag, head } = serializeAnswer(answer);
    return { entityTag, head: toBytes(head) };
  } catch (error) {
    return { error: toThreadError(error) };
  }
}

/** A signal that never aborts: to stop a computation, the main thread ends the whole thread. */
const NEVER_ABORTED_SIGNAL = new AbortController().signal;
