import type { ListedFile } from '../../edgar/files/list-files.ts';
import { describeProblem, type SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';

/** Counters, problem reports and abort signal of a build. */
export interface ReadingContext {
  readonly skipped: SkippedRowCounts;
  /** Sentences about unreadable files. */
  readonly problems: string[];
  readonly signal: AbortSignal | undefined;
}

/** Reads files sequentially. An unreadable file is counted and reported once, and not opened again. */
export class SourceFileReader {
  /** Files that were read, for the sources in the manifest. */
  readonly files = new Set<ListedFile>();
  readonly skipped: SkippedRowCounts;
  readonly #context: ReadingContext;
  readonly #reason: string;
  readonly #unreadableFiles = new Set<ListedFile>();

  /** @param reason the reason under which unreadable files are counted */
  constructor(context: ReadingContext, reason: string) {
    this.skipped = context.skipped;
    this.#context = context;
    this.#reason = reason;
  }

  throwIfAborted(): void {
    this.#context.signal?.throwIfAborted();
  }

  reportProblem(problem: string): void {
    this.#context.problems.push(problem);
  }

  /** Returns whether the file was readable. */
  async read(file: ListedFile, readFile: () => Promise<void>): Promise<boolean> {
    this.throwIfAborted();
    if (this.#unreadableFiles.has(file)) return false;
    try {
      await readFile();
      this.files.add(file);
      return true;
    } catch (cause) {
      this.throwIfAborted();
      this.#unreadableFiles.add(file);
      this.skipped.add(this.#reason);
      this.reportProblem(describeProblem(file.name, cause));
      return false;
    }
  }
}
