/** Reads files one by one; one that cannot be read is named, counted once and passed over from then on. */
import type { ListedFile } from '../../../edgar/files/list-files.ts';
import type { SkippedRows } from '../../../edgar/files/skipped-rows.ts';

export class SourceFileReader {
  /** Files that were opened, for the release's account of its sources. */
  readonly files: ListedFile[] = [];
  readonly skipped: SkippedRows;
  readonly #problems: string[];
  readonly #signal: AbortSignal | undefined;
  readonly #broken = new Set<ListedFile>();

  constructor(skipped: SkippedRows, problems: string[], signal: AbortSignal | undefined) {
    this.skipped = skipped;
    this.#problems = problems;
    this.#signal = signal;
  }

  /** Throws what the build was aborted with. */
  throwIfAborted(): void {
    this.#signal?.throwIfAborted();
  }

  reportProblem(text: string): void {
    this.#problems.push(text);
  }

  async read(file: ListedFile, run: () => Promise<void>): Promise<void> {
    this.throwIfAborted();
    if (this.#broken.has(file)) return;
    try {
      await run();
      if (!this.files.includes(file)) this.files.push(file);
    } catch (cause) {
      this.throwIfAborted();
      this.#broken.add(file);
      this.skipped.add('a file of prices that cannot be read');
      const message = cause instanceof Error ? cause.message : String(cause);
      this.reportProblem(message.startsWith(file.name) ? message : `${file.name}: ${message}`);
    }
  }
}
