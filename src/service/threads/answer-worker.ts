/** A thread of `fin serve` that answers questions from a release. */
import { answerTasks } from '../../platform/workers/worker-thread.ts';
import { openRelease, type ReleaseReader } from '../../store/reader.ts';
import { answerQuestion } from '../answer-question.ts';
import { route } from '../route.ts';
import { bytesOf, seal } from '../sealed-response.ts';
import { type ThreadReply, type ThreadTask, toThreadError } from './thread-reply.ts';

answerTasks(
  () => ({ run: answerTask }),
  (reply: ThreadReply) => ('error' in reply ? [] : [reply.head.buffer]),
);

let open: { readonly directory: string; readonly release: ReleaseReader } | null = null;

/** The release of that directory. Only the last one stays open: another comes once a day. */
async function releaseAt(directory: string): Promise<ReleaseReader> {
  if (open?.directory === directory) return open.release;
  await open?.release.close();
  open = null;
  const release = openRelease(directory);
  open = { directory, release };
  return release;
}

async function answerTask({ directory, target }: ThreadTask): Promise<ThreadReply> {
  try {
    const release = await releaseAt(directory);
    const answer = await answerQuestion(release, route('GET', target), NEVER);
    const { tag, head } = seal(answer);
    return { tag, head: bytesOf(head) };
  } catch (error) {
    return { error: toThreadError(error) };
  }
}

/** A thread is ended from outside. */
const NEVER = new AbortController().signal;
