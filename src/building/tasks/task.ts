/** Tasks, and how the steps of a build run them. `workers/build-task.ts` defines how each kind of task is performed. */
import type { TablePart } from '../../store/table-part.ts';

declare const resultType: unique symbol;

/** A task whose result has the type `Result`. Serializable, because threads exchange tasks. */
export interface Task<Result> {
  readonly kind: string;
  /** Never set: states the type of the result. */
  readonly [resultType]?: Result;
}

export type ResultOf<T extends Task<unknown>> = T extends Task<infer Result> ? Result : never;

/** The result of a task that only encodes rows. */
export interface PartsResult {
  readonly parts: readonly TablePart[];
}

/** Runs tasks in parallel, and yields the results in the order of the tasks. */
export type RunTasks = <T extends Task<unknown>>(tasks: Iterable<T>) => AsyncGenerator<ResultOf<T>>;

export interface BuildWorkers {
  /**
   * Yields the results in the order of the tasks. Tasks that were requested first have priority; later tasks run on
   * idle workers.
   */
  readonly runTasks: RunTasks;
  /**
   * Waits for several steps of the build that run in parallel. If a step fails, cancels all other steps and throws the
   * error of the failed step.
   */
  awaitAll<Promises extends readonly unknown[] | []>(
    promises: Promises,
  ): Promise<{ -readonly [At in keyof Promises]: Awaited<Promises[At]> }>;
}
